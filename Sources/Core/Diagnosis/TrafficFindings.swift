// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Wire

extension Catalogue {
    /// The rules that need no look inside of a program: what crosses the network is enough.
    static let ofTraffic: [Rule] = [
        .nonGlobalAddress, .mappedAddressInDNS, .serverFailsForAAAA, .asksForLocalhost, .usesForeignPrefix,
        .keepsForgottenConnection, .losesLargePackets, .untranslatable, .exceedsLimit, .asksForIPv4Only,
        .reachesPrivateHost, .noAnswer,
    ]
}

extension Finding {
    /// What the rules say of a host that is on a network with NAT64 and DNS64, and of which only that is known what it sent and was sent.
    /// - Parameter duration: since it sent something first.
    package static func ofTraffic(_ seen: NetworkEvidence, over duration: Duration) -> [Finding] {
        // It has not ended, and what it is to do is not known: so neither has it succeeded.
        let run = RunEvidence(network: .nat64, end: .timedOut(after: duration), duration: duration, seen: seen)
        return Diagnosis(Examination(run: run), rules: Catalogue.ofTraffic).findings
    }
}
