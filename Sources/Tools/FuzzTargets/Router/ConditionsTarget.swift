// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Router
import Topology
import Translation
import Wire

/// Any text is a set of conditions or is refused in one line. A router under conditions duplicates a packet at most once, and only if they
/// ask for it; and its deadlines end.
func fuzzConditions(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let text = choices.conditions()
    let conditions: Conditions
    do throws(ConditionError) {
        conditions = try ConditionPlan([text]).on(.nat64)
    } catch {
        return try require(error.description.utf8.count < 2_000, "a refusal of \(error.description.utf8.count) octets")
    }
    let output = CountingOutput()
    var configuration = RouterConfiguration(
        .none, errors: ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4))
    configuration.conditions = conditions
    guard var router = try? Router(configuration, now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused for \(text)")
    }
    var now = Instant.zero
    var packet = PacketBuffer()
    var received = 0
    while !choices.isEmpty && received < 64 {
        now = now + .milliseconds(Int(choices.number16()))
        packet.replace(with: choices.rawPacket(isIPv6: choices.oneIn(2)).octets.span)
        router.receive(&packet, from: choices.oneIn(2) ? .client : .world, at: now)
        received += 1
        if choices.oneIn(2) { router.advance(to: now) }
    }
    // Each input puts at most two packets into the queue; each deadline is due only once.
    for _ in 0...2 * received {
        let next = router.nextDeadline
        if next == .distantFuture { break }
        now = max(now, next)
        router.advance(to: now)
    }
    try require(router.nextDeadline == .distantFuture, "packets wait for ever under \(text)")
    try require(
        output.sent + output.dropped >= 0 && output.sent <= 2 * received, "\(output.sent) of \(received) packets went")
    if conditions.down.duplicate == 0 && conditions.up.duplicate == 0 {
        try require(output.sent <= received, "\(output.sent) of \(received) packets went under \(text)")
    }
}

private final class CountingOutput: RouterOutput {
    private(set) var sent = 0
    private(set) var dropped = 0

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        sent += 1
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) { dropped += 1 }
}

extension Choices {
    /// Valid items, or any text.
    fileprivate mutating func conditions() -> String {
        if oneIn(4) { return String(decoding: octets(Int(octet())), as: UTF8.self) }
        let items = [
            "lte", "very-bad-network", "gsm", "high-latency-dns", "100%-loss", "delay=80ms", "jitter=20ms", "loss=1%",
            "reorder=5%",
            "duplicate=50%", "corrupt=50%", "rate=1kbit", "rate=5mbit", "dns-delay=3s", "down=1s-2s", "flap=10ms",
            "no-uplink",
            "up-loss=100%", "down-rate=14.4kbit",
        ]
        return (0...below(4)).map { _ in pick(items) }.joined(separator: ",")
    }
}
