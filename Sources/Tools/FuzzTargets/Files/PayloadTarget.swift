// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Origins
import Wire

/// The readers of payloads end on any octets of a host or a client, and their results lie inside.
func fuzzPayload(_ input: [UInt8]) throws(BrokenInvariant) {
    let cut = input.first.map { Int($0) % max(1, input.count) } ?? 0
    var conversation = Conversation(transport: cut % 2 == 0 ? .tcp : .udp, remote: far, port: 80, localPort: 4000)
    conversation.received.octets = Octets(input)
    conversation.sent.octets = Octets(Array(input.dropFirst(cut)))
    conversation.received.pieces = [
        Conversation.Stream.Piece(offset: 0, time: .zero), Conversation.Stream.Piece(offset: cut, time: .seconds(1)),
    ]
    conversation.sent.pieces = [Conversation.Stream.Piece(offset: 0, time: .zero)]
    var payloads = PayloadRecord()
    payloads.clients = [far]
    payloads.conversations = [conversation]
    let facts = PayloadReader(payloads, KnownNames([])).facts
    try require(facts.count <= 200, "\(facts.count) facts")

    var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(3))
    var calls = CallEvidence()
    calls.calls = [
        TracedCall(.connect, .address(.ip(sought, port: 80), length: 16, on: nil), .unknown, time: .seconds(2))
    ]
    run.calls = calls
    guard var finder = OriginFinder(run, prefixes: []) else { throw BrokenInvariant("nothing is looked for") }
    finder.search(conversation, of: nil)
    finder.complete(&run)
    guard case .payload(let place)? = run.calls?.calls[0].origin?.place else { return }
    switch place.spot {
    case .octet(let offset), .packed(let offset, _):
        try require(offset >= 0 && offset < input.count, "octet \(offset) of \(input.count)")
    case .header, .json, .bencode, .sessionDescription, .candidate, .stun, .commas: break
    }
}

private let far = IPAddress.ipv6(IPv6Address(bits: 0x64_ff9b << 96 | 0xc633_641f))
private let sought = IPAddress.ipv4(IPv4Address(bits: 0xc633_641f))
