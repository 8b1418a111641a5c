// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import Diagnosis
package import Evidence
package import Sandbox
import Topology

/// One run of a client on one network and its evidence, for callers that judge and report by themselves.
package struct SingleRun: Sendable {
    package var evidence: RunEvidence
    package var links: LinkConditions
    /// The Pref64s in presentation format; empty on a network without NAT64.
    package var pref64: String
    /// Changes that were made around the client, a sentence each.
    package var notes: [String]

    /// Runs the client, which has this process's streams. The process can be used for nothing else afterwards.
    /// - Parameters:
    ///   - grace: time between SIGTERM and SIGKILL when the client's time is over.
    ///   - client: finds the client's first program among those of a traced run; `nil` if it is the first of them.
    ///   - whenWorldStands: called before the client begins, with the world's hosts reachable from this process.
    package init(
        _ options: CheckOptions, grace: Duration, inheritance: Inheritance,
        client: (([TracedProgram]) -> Int?)? = nil,
        whenWorldStands: ((World) throws(CheckFailure) -> Void)? = nil
    ) throws(CheckFailure) {
        let prepared = try ResolvedOptions(options, inheritance.environment)
        let session = try CheckSession(prepared, inheritance, isLeftAlone: options.isLeftAlone)
        var request = CheckSession.Request(schedule: options.schedule, timeout: options.timeout)
        request.grace = grace
        request.isTraced = options.trace == .always
        request.client = client
        if let whenWorldStands {
            evidence = try session.run(
                request, whenWorldStands: { () throws(CheckFailure) in try whenWorldStands(prepared.world) })
        } else {
            evidence = try session.run(request)
        }
        links = session.links
        pref64 = options.network.entry.hasNAT64 ? session.prefixList : ""
        notes = session.notes
        session.stop(before: .pass)
    }
}
