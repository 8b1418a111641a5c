// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

struct FlowRecord: Encodable, Sendable {
    /// Absent if no DNS answer gave the address.
    let name: String?
    let transport: String
    let address: String
    let port: UInt16
    /// The IPv4 address behind the NAT64; absent if the flow was not translated.
    let translatedTo: String?
    let attempts: Int
    let accepted: Int
    let refused: Int
    /// The reason in the last ICMP error about it; absent if there was none.
    let unreachable: String?
    /// Whether the far end sent the first packet.
    let inbound: Bool
    let bytesSent: UInt64
    let bytesReceived: UInt64
    /// Times of its first packet and of the far end's first, since the client was connected; absent if they are unknown, or there was none.
    let seconds: Double?
    let answerSeconds: Double?
    /// Absent if the host was not looked up.
    let lookup: HostLookupRecord?
    /// The TLS ClientHellos of its connections; absent if there were none.
    let tls: [HelloRecord]?
    /// Number of connections that named other servers than those above; absent if there were none.
    let omittedTLS: Int?

    init(_ flow: Flow, name: String?, lookup: HostLookup?) {
        self.name = name
        transport = flow.transport.rawValue
        address = flow.remote.description
        port = flow.port
        if case .translated(let ipv4) = flow.route { translatedTo = ipv4.description } else { translatedTo = nil }
        attempts = flow.attempts
        accepted = flow.accepted
        refused = flow.refused
        unreachable = flow.unreachable?.rawValue
        inbound = flow.isInbound
        bytesSent = flow.bytesSent
        bytesReceived = flow.bytesReceived
        seconds = flow.times.map { $0.first / .seconds(1) }
        answerSeconds = flow.times?.answer.map { $0 / .seconds(1) }
        self.lookup = lookup.map(HostLookupRecord.init)
        tls = flow.hellos.map { $0.each.map(HelloRecord.init) }
        omittedTLS = flow.hellos.flatMap { $0.omitted == 0 ? nil : $0.omitted }
    }
}

/// One of the IPv4 dependencies.
struct IPv4DependencyRecord: Encodable, Sendable {
    let address: String
    let transport: String
    let port: UInt16
    /// Absent if no DNS answer gave the address.
    let name: String?
    /// The first process that used it, and its program; absent if they are not known.
    let process: Int32?
    let program: String?
    let answered: Bool
    /// Whether the client also reached the same address, protocol and port by IPv6 through the NAT64.
    let byIPv6: Bool

    init(_ dependency: IPv4Dependency) {
        address = dependency.address.description
        transport = dependency.flow.transport.rawValue
        port = dependency.flow.port
        name = dependency.name?.withoutFinalDot
        process = dependency.process?.number
        program = dependency.process?.program
        answered = dependency.flow.isAnswered
        byIPv6 = dependency.hasIPv6
    }
}

struct DropRecord: Encodable, Sendable {
    let reason: String
    let explanation: String
    let count: UInt64
    let example: String
    let kind: String

    init(_ drop: Drop) {
        reason = drop.reason.name
        explanation = drop.reason.explanation
        count = drop.count
        example = drop.example
        kind = drop.reason.kind.rawValue
    }
}
