// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Topology
import Wire

/// Actions of the simulator against the client that no network would take, a sentence each: `198.51.100.10 (tcp 80) closed 12 connections
/// as they came, the first after 0.10 s: all slots were taken (connection-refused)`.
func hindrances(_ run: RunEvidence) -> [String] {
    run.seen.refusals.map(phrase)
        + (run.seen.lost.path ? ["the packet path did not answer; flows and drops are not known"] : [])
        + (run.seen.flows.first(where: isFromSimulator).map {
            ["connected to the client from \($0.remote), \(ownAddress)"]
        } ?? [])
}

/// Whether a program of the world connected to the client without an address of its host: no real host could do so.
private func isFromSimulator(_ flow: Flow) -> Bool {
    flow.isInbound && flow.transport != .icmp && flow.bytesSent + flow.bytesReceived > 0
        && [.ipv6(NetworkPlan.router), .ipv4(NetworkPlan.ipv4Router)].contains(flow.remote)
}

private let ownAddress =
    "its own address: a program of the world has to bind its host's, and may not get through from there (docs/world-file.md#programs-as-services)"

private func phrase(_ refusal: WorldRefusal) -> String {
    let service = "\(refusal.address) (\(refusal.transport.rawValue) \(refusal.port))"
    let when = "\(refusal.count == 1 ? "" : "the first ")after \(seconds(refusal.first))"
    let what =
        switch refusal.reason {
        case .connectionRefused:
            "closed \(counted(refusal.count, "connection")) at once, \(when): all slots were taken, and no other client had more of them"
        case .connectionTaken:
            "closed \(counted(refusal.count, "standing connection")), \(when): another client needed a slot, and this one had the most"
        case .queryRefused:
            "answered \(counted(refusal.count, "query", "queries")) with SERVFAIL, \(when): too many were waiting for answers"
        case .programEnded: "was served no longer, from \(seconds(refusal.first)) on: its program had ended"
        case .serviceFailed:
            "was not served, from \(seconds(refusal.first)) on: its server could not be started"
        }
    return "\(service) \(what) (\(refusal.reason.rawValue))"
}

/// The evidence that a report leaves out because there was too much of it: `Left out: 63211 queries, 2 lookups.`
func leftOut(_ run: RunEvidence) -> String? {
    let lost = run.seen.lost
    let parts = [
        (lost.queries, "query", "queries"), (lost.flows, "packet of further flows", "packets of further flows"),
        (lost.connections, "connection to servers", "connections to servers"), (run.lostLookups, "lookup", "lookups"),
    ].filter { $0.0 > 0 }.map { counted($0.0, $0.1, $0.2) }
    guard !parts.isEmpty else { return nil }
    return
        "Left out of the evidence on \(run.network.rawValue), as there was too much: \(parts.joined(separator: ", "))."
}
