// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

struct FlowRecord: Encodable, Sendable {
    /// Absent where no DNS answer gave the address.
    let name: String?
    let transport: String
    let address: String
    let port: UInt16
    /// The IPv4 address behind the NAT64; absent where the flow was not translated.
    let translatedTo: String?
    let attempts: Int
    let accepted: Int
    let refused: Int
    /// What the last ICMP error about it said; absent where there was none.
    let unreachable: String?
    /// Whether the far end sent the first packet.
    let inbound: Bool
    let bytesSent: UInt64
    let bytesReceived: UInt64
    /// When its first packet came by, and the far end's first, since the client was connected; absent where that is not known, or none did.
    let seconds: Double?
    let answerSeconds: Double?
    /// Absent where nobody looked the host up.
    let lookup: HostLookupRecord?
    /// What its connections began with; absent where none did with TLS.
    let tls: [HelloRecord]?
    /// Connections that named other servers than those above; absent where there were none.
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

/// An entry of the census of what still needs IPv4.
struct IPv4DependencyRecord: Encodable, Sendable {
    let address: String
    let transport: String
    let port: UInt16
    /// Absent where no DNS answer gave the address.
    let name: String?
    /// The process that went there first, and its program; absent where that is not known.
    let process: Int32?
    let program: String?
    let answered: Bool
    /// Whether the client got through to the same host and port by IPv6, too.
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
