// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import Diagnosis
package import Evidence
package import Sandbox
import Topology

extension FinishedRun {
    /// Runs a client once, for callers that judge and report by themselves. It has this process's streams, and the process can be used for
    /// nothing else afterwards.
    /// - Parameters:
    ///   - grace: time between SIGTERM and SIGKILL when the client's time is over.
    ///   - client: finds the client's first program among those of a traced run; `nil` if it is the first of them.
    ///   - whenWorldStands: called before the client begins, with the world's hosts reachable from this process.
    package init(
        of options: CheckOptions, grace: Duration, inheritance: Inheritance,
        client: (([TracedProgram]) -> Int?)? = nil,
        whenWorldStands: ((World) throws(CheckFailure) -> Void)? = nil
    ) throws(CheckFailure) {
        let prepared = try ResolvedOptions(options, inheritance.environment, typed: inheritance.arguments)
        let session = try CheckSession(prepared, inheritance, isLeftAlone: options.isLeftAlone)
        var request = RunRequest(schedule: options.schedule, timeout: options.timeout)
        request.grace = grace
        request.isTraced = options.trace == .always
        request.client = client
        if let whenWorldStands {
            self = try session.run(
                request, whenWorldStands: { () throws(CheckFailure) in try whenWorldStands(prepared.world) })
        } else {
            self = try session.run(request)
        }
        session.stop(before: .pass)
    }
}
