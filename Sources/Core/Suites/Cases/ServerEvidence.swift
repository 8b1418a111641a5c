// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// The evidence of a server under test.
package struct ServerEvidence: Codable, Hashable, Sendable {
    /// Why it did not become ready.
    package var failure: String?
    /// Its listening sockets when it was ready.
    package var listeners: [Listener] = []
    /// One answer for each probe that applied, in their order.
    package var probes: [ProbeAnswer] = []
    /// The start of its output.
    package var log = ""

    package init() {}
}

/// A TCP socket that listens.
package struct Listener: Codable, Hashable, Sendable {
    package var address: IPAddress
    package var port: UInt16
    /// IPv6 only. A socket without this flag accepts IPv4, too, if its address is `::`.
    package var isIPv6Only: Bool

    package init(_ address: IPAddress, port: UInt16, isIPv6Only: Bool = false) {
        self.address = address
        self.port = port
        self.isIPv6Only = isIPv6Only
    }

    /// Whether a client on another machine can reach it by this family.
    package func takes(_ family: ListenFamily) -> Bool {
        switch (address, family) {
        case (.ipv6(let address), .ipv6): address.bits != 1
        case (.ipv6(let address), .ipv4): address.bits == 0 && !isIPv6Only
        case (.ipv4(let address), .ipv4): address.bits >> 24 != 127
        case (.ipv4, .ipv6): false
        }
    }
}

package struct ProbeAnswer: Codable, Hashable, Sendable {
    package enum Result: Codable, Hashable, Sendable {
        case http(status: Int, body: String)
        /// A redirect that a client cannot follow.
        case ledAway(status: Int, location: String, Obstacle)
        case connected
        /// A connection that the server closed at once, and sent nothing. Some do that to all clients.
        case closed
        case command(status: Int32, output: String)
        case refused
        /// There was no answer in time.
        case timedOut
        /// Another fault of the answer.
        case failed(String)
        /// No client could be made.
        case unsent(String)
    }

    /// Why a client cannot follow a redirect.
    package enum Obstacle: String, Codable, Hashable, Sendable {
        /// A client of IPv6 has no way to an IPv4 address.
        case ipv4 = "an IPv4 address"
        case ownMachine = "the client's own machine"
        case noURL = "which is no URL"
    }

    package var probe: Probe
    /// The origin of the probe.
    package var origin: Probe.Origin
    package var result: Result

    package init(_ probe: Probe, from origin: Probe.Origin, _ result: Result) {
        self.probe = probe
        self.origin = origin
        self.result = result
    }

    /// Whether the answer is the expected one.
    package var isAsExpected: Bool {
        switch result {
        case .http(let status, let body):
            (probe.status.map { $0 == status } ?? (status < 400))
                && probe.body.allSatisfy { $0.isMet(by: CapturedText(body)) }
        case .ledAway(let status, _, let obstacle):
            probe.status.map { $0 == status } ?? (origin == .ipv4 && obstacle == .ipv4)
        case .connected, .closed: true
        case .command(let status, let output):
            status == 0 && probe.body.allSatisfy { $0.isMet(by: CapturedText(output)) }
        case .refused, .timedOut, .failed, .unsent: false
        }
    }

    private var peerAnswerKind: PeerAnswer.Kind {
        switch result {
        case .closed: .closed
        case .ledAway: .ledAway
        case .http(400..<500, _) where !isAsExpected: .denied
        default: .other
        }
    }

    /// The answer, if the server gave one, or kept silent: not where no connection came about.
    package var peerAnswer: PeerAnswer? {
        let text: String? =
            switch result {
            case .http(let status, _): isAsExpected || status >= 400 ? "status \(status)" : "another answer"
            case .ledAway(let status, let location, _): "status \(status) and \(location)"
            case .connected: "a connection"
            case .closed: "a connection that it closes at once"
            case .command(let status, _): "what makes its command exit with \(status)"
            case .timedOut: "no answer"
            case .failed(let reason): "nothing (\(reason))"
            case .refused, .unsent: nil
            }
        return text.map {
            PeerAnswer(
                isIPv6: origin != .ipv4, text: $0, isAsExpected: isAsExpected, kind: peerAnswerKind,
                isTranslated: origin == .ipv4ThroughNAT64)
        }
    }
}
