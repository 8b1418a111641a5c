// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// A client's messages to a proxy before it talks to its host, by HTTP (RFC 9112 §3.2) or SOCKS (RFC 1928) on one port.
///
/// Theory of operation. Octets are appended as they arrive (`append`), and after each arrival `next` is called until it needs more. The
/// first octet determines the protocol: a version of SOCKS, or otherwise HTTP. `request` and `refuse` are the last steps; the octets after
/// the request are then in `takeRest`, and nothing may be appended. No octet is examined twice, and at most `longestHead` and one arrival
/// are kept.
package struct ProxyHandshake: Sendable {
    package enum Step: Hashable, Sendable {
        case more
        /// An answer to send; more steps follow.
        case say([UInt8])
        case request(ProxyRequest)
        /// An answer to send before the connection is closed; and the request, if it is known.
        case refuse([UInt8], ProxiedRequest?)
    }

    /// The same limit for `http` and `https`.
    package static let longestHead = 64 * 1024

    private enum State {
        case start
        /// A method has been agreed on.
        case greeted
        case head
        case ended
    }

    private var octets: [UInt8] = []
    private var state = State.start
    private var lines = HeadLines()

    package init() {}

    package mutating func append(_ arrival: some Sequence<UInt8>) {
        octets.append(contentsOf: arrival)
    }

    /// The octets after the request.
    package mutating func takeRest() -> [UInt8] {
        defer { octets = [] }
        return octets
    }

    package mutating func next() -> Step {
        guard let first = octets.first else { return .more }
        switch (state, first) {
        case (.ended, _): return .more
        case (.start, SOCKS5.version): return greet()
        case (.start, SOCKS4.version): return end(SOCKS4.request(in: octets[...]))
        case (.greeted, _): return end(SOCKS5.request(in: octets[...]))
        case (.start, _), (.head, _): return readHead()
        }
    }

    private mutating func greet() -> Step {
        guard let greeting = SOCKS5.greeting(in: octets[...]) else { return .more }
        octets.removeFirst(greeting.length)
        guard greeting.offersNoAuthentication else {
            state = .ended
            return .refuse([SOCKS5.version, SOCKS5.noMethod], nil)
        }
        state = .greeted
        return .say([SOCKS5.version, SOCKS5.noAuthentication])
    }

    private mutating func readHead() -> Step {
        state = .head
        do throws(HeadProblem) {
            guard octets[0].isTokenOctet || octets[0].isLineEndOctet else { throw .malformed }
            guard let length = try lines.find(in: octets) else { return .more }
            let head = try RequestHead(lines.ranges.map { octets[$0] })
            return end(.request(try head.proxyRequest(), length: length))
        } catch {
            return end(.refusal(error.answer, error.request))
        }
    }

    private mutating func end(_ message: ProxyMessage) -> Step {
        switch message {
        case .incomplete: return .more
        case .request(let request, let length):
            state = .ended
            octets.removeFirst(length)
            return .request(request)
        case .refusal(let answer, let request):
            state = .ended
            return .refuse(answer, request)
        }
    }
}

/// The progress of a message that contains a request.
enum ProxyMessage {
    case incomplete
    case request(ProxyRequest, length: Int)
    case refusal([UInt8], ProxiedRequest?)
}

/// A client's request, and the form of the answer to it.
package struct ProxyRequest: Hashable, Sendable {
    package let wanted: ProxiedRequest
    /// The first octets for the host, replacing those of the client.
    package let head: [UInt8]

    init(_ wanted: ProxiedRequest, head: [UInt8] = []) {
        self.wanted = wanted
        self.head = head
    }
}
