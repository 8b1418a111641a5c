// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// The failure of a forwarder to answer.
package struct ForwarderFailure: Codable, Hashable, Sendable {
    package enum Kind: Codable, Hashable, Sendable {
        /// It sent nothing for this long.
        case silent(Duration)
        /// Nothing listens there, or the network has no route to it.
        case unreachable
        /// It closed the connection before it had answered.
        case hungUp
        /// It returned this code instead of an answer.
        case answered(ResponseCode)
    }

    package var server: Endpoint
    package var kind: Kind

    package init(_ server: Endpoint, _ kind: Kind) {
        self.server = server
        self.kind = kind
    }

    /// All failures in one line, each once.
    static func summary(_ failures: [ForwarderFailure]) -> String {
        var counts: [(failure: ForwarderFailure, count: Int)] = []
        for failure in failures {
            if let index = counts.firstIndex(where: { $0.failure == failure }) {
                counts[index].count += 1
            } else {
                counts.append((failure, 1))
            }
        }
        return counts.map { $0.count == 1 ? "\($0.failure)" : "\($0.failure) (\($0.count) times)" }.joined(
            separator: ", ")
    }
}

extension ForwarderFailure: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .silent(let time): "forwarder \(server) did not answer within \(Self.text(time))"
        case .unreachable: "forwarder \(server) cannot be reached: nothing listens there, or there is no route to it"
        case .hungUp: "forwarder \(server) closed the connection without an answer"
        case .answered(let code): "forwarder \(server) answered \(code)"
        }
    }

    private static func text(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? "\(seconds) s" : "\(milliseconds) ms"
    }
}
