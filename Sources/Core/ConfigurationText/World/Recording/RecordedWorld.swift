// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
package import Evidence
import Topology
import Wire

/// A world of the names that a client looked up and the hosts that it reached in one run on dual-stack, so that all addresses are the
/// world's own.
///
/// Each name has the addresses from the run, each host the ports that answered the client. The protocol is not known: a port gets its usual
/// service, or an echo service if there is none.
package struct RecordedWorld {
    struct Host {
        let name: DomainName
        var addresses: [IPAddress] = []
        var services: [Service] = []
        /// Whether the client used the address without a name, so that the name is invented.
        var isUnnamed = false
    }

    struct Service: Hashable {
        let kind: ServiceKind
        let port: UInt16
        /// Whether it replaces an unknown service.
        var isStandIn = false
    }

    /// A part of the recording that a world cannot have, and the reason.
    struct Omission: Hashable {
        let what: String
        let reason: String
    }

    /// In the order in which the client met them.
    private(set) var hosts: [Host] = []
    /// All records except those of the hosts' addresses.
    private(set) var records: [ResourceRecord] = []
    private(set) var omissions: [Omission] = []
    /// Names that do not exist, which a world need not mention.
    private(set) var absentNames: [DomainName] = []
    private var places: [DomainName: Int] = [:]
    /// The first host with each address.
    private var owners: [IPAddress: Int] = [:]
    /// Number of services of all hosts, at each of their addresses.
    private var serviceCount = 0

    package init(_ evidence: NetworkEvidence) {
        for query in evidence.questions { add(query) }
        let named = Set(hosts.map(\.name))
        records.removeAll { $0.type == .cname && named.contains($0.name) }
        for flow in evidence.flows where flow.isAnswered && !flow.isInbound { add(flow) }
    }

    package var isEmpty: Bool { hosts.isEmpty && records.isEmpty }

    // MARK: - DNS answers

    private mutating func add(_ query: RepeatedQuery) {
        if query.first.responseCode == .nameError { absentNames.append(query.question.name) }
        for record in query.first.answer {
            switch record.data {
            case .a(let address): add(.ipv4(address), to: record.name)
            case .aaaa(let address): add(.ipv6(address), to: record.name)
            default:
                // Signatures are useful only in a zone file.
                if Self.ofSignedZones.contains(record.type) { continue }
                if !records.contains(where: { $0.name == record.name && $0.data == record.data }) {
                    records.append(record)
                }
            }
        }
        if query.first.omittedAnswers > 0 {
            omit("\(query.first.omittedAnswers) records of \(query.question.name)", "more of them are not kept")
        }
    }

    private static let ofSignedZones: Set<RecordType> = [.rrsig, .nsec, .nsec3, .dnskey, .ds]

    private mutating func add(_ address: IPAddress, to name: DomainName) {
        if let objection = AddressRules.objection(to: address) {
            return omit("\(name) at \(address)", "that \(objection)")
        }
        let place = place(of: name)
        if hosts[place].addresses.contains(address) { return }
        hosts[place].addresses.append(address)
        owners[address] = owners[address] ?? place
    }

    private mutating func place(of name: DomainName) -> Int {
        if let place = places[name] { return place }
        places[name] = hosts.count
        hosts.append(Host(name: name))
        return hosts.count - 1
    }

    // MARK: - Flows

    private mutating func add(_ flow: Flow) {
        let address = flow.host
        let what = "\(address) \(flow.transport.rawValue)/\(flow.port)"
        if let objection = AddressRules.objection(to: address) { return omit(what, "that address \(objection)") }
        guard let place = owners[address] ?? addUnnamed(address) else { return }
        guard flow.transport != .icmp else { return }
        if flow.port == 53 { return omit(what, "a resolver beside the network's own") }
        if flow.transport == .udp, flow.port == 443 {
            return omit(what, "HTTP/3, which worlds do not speak; clients take TCP then")
        }
        guard serviceCount < WorldFileLimits.services else {
            return omit(what, "more services than a world has")
        }
        let service = Self.service(flow)
        if hosts[place].services.contains(service) { return }
        hosts[place].services.append(service)
        serviceCount += hosts[place].addresses.count
    }

    private static func service(_ flow: Flow) -> Service {
        switch (flow.transport, flow.port) {
        case (.tcp, 80), (.tcp, 8080): Service(kind: .http, port: flow.port)
        case (.tcp, 443), (.tcp, 8443): Service(kind: .https, port: flow.port)
        case (.tcp, 853): Service(kind: .dot, port: 853)
        case (.tcp, 7): Service(kind: .tcpEcho, port: 7)
        case (.udp, 7): Service(kind: .udpEcho, port: 7)
        case (.udp, let port): Service(kind: .udpEcho, port: port, isStandIn: true)
        case (_, let port): Service(kind: .tcpEcho, port: port, isStandIn: true)
        }
    }

    /// A host for an address that was reached without a name.
    private mutating func addUnnamed(_ address: IPAddress) -> Int? {
        let label = "\(address)".map { $0 == "." || $0 == ":" ? "-" : $0 }
        guard let name = try? DomainName("host-" + String(label) + ".recorded.test") else { return nil }
        let place = place(of: name)
        hosts[place].addresses = [address]
        hosts[place].isUnnamed = true
        owners[address] = place
        return place
    }

    private mutating func omit(_ what: String, _ reason: String) {
        let omission = Omission(what: what, reason: reason)
        if !omissions.contains(omission), omissions.count < Self.omissionLimit { omissions.append(omission) }
    }

    /// Longer lists would not be read.
    private static let omissionLimit = 100
}
