// SPDX-License-Identifier: Apache-2.0
import Evidence
import Proxying

/// A client's octets to a proxy: their result does not depend on their segmentation, and is bounded.
func fuzzProxy(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let size = 1 + choices.below(8)
    let octets = choices.rest()
    let whole = try proxyEnd(of: octets, inPiecesOf: max(1, octets.count))
    let pieces = try proxyEnd(of: octets, inPiecesOf: size)
    try require(whole == pieces, "in pieces of \(size): \(pieces) instead of \(whole)")

    // The same octets as a host's answer, none of which may be lost.
    let answer = forwarded(octets, inPiecesOf: max(1, octets.count))
    try require(answer == forwarded(octets, inPiecesOf: size), "an answer in pieces of \(size) is another one")
    try require(answer.count >= octets.count && answer.last == octets.last, "an answer was cut: \(answer)")
}

private func forwarded(_ octets: [UInt8], inPiecesOf size: Int) -> [UInt8] {
    var answer = ForwardedAnswer()
    let passed = stride(from: 0, to: octets.count, by: size).flatMap {
        answer.receive(octets[$0..<min($0 + size, octets.count)])
    }
    return passed + answer.takeRest()
}

private struct ProxyEnd: Equatable {
    var said: [UInt8] = []
    var last: ProxyHandshake.Step?
    var rest: [UInt8] = []
}

private func proxyEnd(of octets: [UInt8], inPiecesOf size: Int) throws(BrokenInvariant) -> ProxyEnd {
    var handshake = ProxyHandshake()
    var end = ProxyEnd()
    var place = 0
    while place < octets.count, end.last == nil {
        let next = min(place + size, octets.count)
        handshake.append(octets[place..<next])
        place = next
        steps: while true {
            let step = handshake.next()
            switch step {
            case .more: break steps
            case .say(let octets):
                end.said += octets
                try require(end.said.count <= 2, "more than one method was agreed upon")
            case .refuse(let answer, let wanted):
                try require(!answer.isEmpty, "refused without a word")
                try require(wanted?.result != .connected, "refused as connected")
                end.last = step
                break steps
            case .request(let request):
                try check(request)
                end.last = step
                end.rest = handshake.takeRest() + octets[place...]
                break steps
            }
        }
    }
    return end
}

/// Each result has an answer for the client; a forwarded request has one complete head instead.
private func check(_ request: ProxyRequest) throws(BrokenInvariant) {
    try require(request.wanted.result == .open, "a result beforehand")
    for result in [ProxiedRequest.Result.nameUnknown, .unroutable, .refused, .timedOut, .noRoom] {
        try require(!request.answer(result).isEmpty, "no answer to \(result)")
    }
    guard request.wanted.manner == .request else {
        try require(request.head.isEmpty, "a tunnel that begins with a head")
        return try require(!request.answer(.connected).isEmpty, "no answer to a connection")
    }
    let end = Array("\r\n\r\n".utf8)
    try require(
        request.head.suffix(4) == end[...] && request.head.firstRange(of: end)?.upperBound == request.head.count,
        "the head does not end once: \(request.head)")
    try require(request.head.count <= ProxyHandshake.longestHead + 256, "a head of \(request.head.count) octets")
    // The forwarded request is valid, but for the host, so a proxy refuses it.
    var again = ProxyHandshake()
    again.append(request.head)
    guard case .refuse = again.next() else { throw BrokenInvariant("\(request.head) is a request to a proxy") }
}
