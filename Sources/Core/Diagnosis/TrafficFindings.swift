// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Wire

extension Catalogue {
    /// The rules that need only the packets on the network, not the inside of a program.
    static let ofTraffic: [Rule] = [
        .nonGlobalAddress, .mappedAddressInDNS, .serverFailsForAAAA, .asksForLocalhost, .usesForeignPrefix,
        .keepsForgottenConnection, .losesLargePackets, .untranslatable, .exceedsLimit, .asksForIPv4Only,
        .reachesPrivateHost, .noAnswer,
    ]
}

extension Finding {
    /// The findings for a host on a network with NAT64 and DNS64 of which only the traffic is known.
    /// - Parameter duration: the time since its first packet.
    package static func ofTraffic(_ seen: NetworkEvidence, over duration: Duration) -> [Finding] {
        // The host has not ended, and its task is unknown. So it has not succeeded either.
        let run = RunEvidence(network: .nat64, end: .timedOut(after: duration), duration: duration, seen: seen)
        return Diagnosis(Examination(run: run), rules: Catalogue.ofTraffic).findings
    }
}
