// SPDX-License-Identifier: Apache-2.0
import NAT64
import StandaloneTranslator
import Router
import Translation
import Wire
import ConfigurationText

/// Any octets are a configuration from which a router can be made, or cause an error with a location: never a trap, and never a message
/// that is too long for a person.
func fuzzConfiguration(_ input: [UInt8]) throws(BrokenInvariant) {
    let configuration: TranslatorConfiguration
    do throws(YAMLFileError) {
        configuration = try TranslatorConfiguration(yaml: input, name: "f.yaml")
    } catch {
        return try check(error)
    }
    // Parsing has made a router already; a second one, and a packet, show that no check was deferred.
    var router: Router
    do throws(ConfigurationError) {
        router = try Router(RouterConfiguration(configuration), now: .zero, output: Discarding())
    } catch {
        throw BrokenInvariant("read, and not usable: \(error)")
    }
    var packet = PacketBuffer(capacity: 64)
    packet.replace(with: ([0x60] + [UInt8](repeating: 0, count: 47)).span)
    router.receive(&packet, from: .client, at: .zero)
    let counters = router.counters
    try require(counters.drops.total == 1, "a packet from nowhere was not refused once")
}

private final class Discarding: RouterOutput {
    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? { nil }
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

private func check(_ error: YAMLFileError) throws(BrokenInvariant) {
    try require(!error.problems.isEmpty, "an error without a problem")
    try require(error.problems.count <= 100, "\(error.problems.count) problems")
    for problem in error.problems {
        try require(!problem.message.isEmpty, "a problem without a message")
        guard let position = problem.position else { continue }
        try require(position.line >= 1 && position.column >= 1, "a problem at \(position)")
    }
}
