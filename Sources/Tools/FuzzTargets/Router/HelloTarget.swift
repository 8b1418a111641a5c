// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Router
import TestPackets
import Translation
import Wire

/// For any beginning of a connection, the results for its prefixes are consistent with the result for the whole; and a router that gets it
/// in segments, some of them twice, has the same result.
func fuzzHello(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let cuts = (0..<8).map { _ in 1 + choices.below(256) }
    let octets = choices.rest()
    let reading = ClientHello.read(octets.span)
    if let hello = reading.hello {
        try require((hello.serverName ?? "").utf8.count <= 255, "a long name")
        try require(hello.applicationProtocols.count <= 16, "a long list")
    }
    for cut in cuts {
        switch (ClientHello.read(octets.span.extracting(0..<min(cut, octets.count))), reading) {
        // A mistake may show later than in a part.
        case (.part, _): break
        case (.whole(let early), .whole(let late)): try require(early == late, "\(early) became \(late)")
        case (.other, .other): break
        case (let early, _): throw BrokenInvariant("\(early) of \(cut) octets became \(reading)")
        }
    }
    let flows = try flows(of: octets, cuts)
    if octets.count > HelloTargetLimits.octets || octets.isEmpty { return }
    let told = flows.first?.hellos?.each.map(\.hello) ?? []
    if case .whole(let hello) = reading {
        try require(told == [hello], "\(told) of \(hello)")
    } else {
        try require(told.isEmpty || told.first?.serverName != nil, "\(told) of \(reading)")
    }
}

private enum HelloTargetLimits {
    /// Octets that the router reads in any case, even in segments of these lengths.
    static let octets = 256
}

/// The flows that a router records for a client that sends the octets in segments.
private func flows(of octets: [UInt8], _ cuts: [Int]) throws(BrokenInvariant) -> [Flow] {
    var configuration = RouterConfiguration(
        .none, errors: ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4))
    configuration.recordsFlows = true
    guard var router = try? Router(configuration, now: .zero, output: Nowhere()) else {
        throw BrokenInvariant("a router is refused")
    }
    func send(_ flags: TCPFlags, _ sequence: UInt32, _ payload: [UInt8]) {
        var packet = PacketBuffer()
        packet.replace(
            with: IPv6Datagram(source: Scene.hosts[0], destination: Scene.hosts[1]).packet(
                .tcp(4000, 443, flags, sequence: sequence, payload: payload)
            ).span)
        router.receive(&packet, from: .client, at: .zero)
    }
    send(.syn, .max, [])
    var start = 0
    var segments = 0
    while start < octets.count, segments < 40 {
        let cut = max(32, cuts[segments % cuts.count])
        let end = min(octets.count, start + cut)
        let again = min(start, cut % 5)
        send(.ack, UInt32(start - again), Array(octets[(start - again)..<end]))
        if cut % 2 == 0 { send(.ack, UInt32(start), Array(octets[start..<end])) }
        start = end
        segments += 1
    }
    return router.flows
}

private final class Nowhere: RouterOutput {
    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? { nil }
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}
