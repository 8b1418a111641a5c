// SPDX-License-Identifier: Apache-2.0
internal import DNS64
package import DNSWire
internal import Text
package import Wire

/// A host that a client named or connected to: an entry of its bill of materials.
package struct ContactedHost: Hashable, Sendable {
    /// A host's identity: the name that the client looked up, or the address that it had otherwise.
    package enum Identity: Hashable, Sendable {
        case name(DomainName)
        case address(IPAddress)
    }

    /// How packets reach a host, the best way for an IPv6-only network first.
    package enum Way: String, Sendable, CaseIterable {
        /// By the host's own IPv6.
        case ipv6
        case nat64
        case clat
        /// By IPv4, on a network that has it.
        case ipv4
    }

    /// A protocol and port of a host.
    package struct End: Hashable, Sendable {
        package var transport: Flow.Transport
        /// 0 for ICMP.
        package var port: UInt16

        package init(transport: Flow.Transport, port: UInt16) {
            (self.transport, self.port) = (transport, port)
        }
    }

    package var identity: Identity
    /// The ways on which it took part; empty if it never did.
    package fileprivate(set) var ways: Set<Way> = []
    /// The protocols and ports to which the client sent something, in that order, up to `endLimit`.
    package fileprivate(set) var ends: [End] = []
    /// The places in the client that name it or connect to it, each once.
    package fileprivate(set) var sites: [CallSite] = []
    /// The ways on which it took part in the control run on dual-stack.
    package fileprivate(set) var controlWays: Set<Way> = []
    /// Whether only the control run named it or connected to it.
    package fileprivate(set) var isOfControlAlone = false

    init(_ identity: Identity) { self.identity = identity }

    /// Whether the client had an address in place of a name.
    package var isLiteral: Bool {
        if case .address = identity { true } else { false }
    }

    /// Whether its packets need a translator, or cannot be sent at all, on an IPv6-only network.
    package var needsIPv4: Bool {
        if case .address(.ipv4) = identity { return true }
        return !ways.isEmpty && !ways.contains(.ipv6)
    }

    fileprivate mutating func add(_ site: CallSite) {
        guard site != CallSite(), !sites.contains(where: { $0.isSameLine(as: site) }) else { return }
        // A place with a line is more precise than the place of a library that it called.
        if site.line == nil, sites.contains(where: { $0.line != nil }) { return }
        if site.line != nil { sites.removeAll { $0.line == nil } }
        sites.append(site)
    }

    /// The first ones are enough for a client that tries every port.
    private static let endLimit = 256

    fileprivate mutating func add(_ end: End) {
        if ends.count < Self.endLimit, !ends.contains(end) { ends.append(end) }
    }
}

/// The hosts that a client named or connected to, in that order.
package struct ContactedHosts: Sendable {
    package private(set) var hosts: [ContactedHost] = []
    private var places: [ContactedHost.Identity: Int] = [:]

    /// - Parameter runs: the runs on the network in question.
    package init(_ runs: [RunEvidence], control: RunEvidence?) {
        for run in runs { add(run, to: \.ways) }
        let known = hosts.count
        if let control { add(control, to: \.controlWays, isControl: true) }
        for place in known..<hosts.count { hosts[place].isOfControlAlone = true }
    }

    private mutating func add(
        _ run: RunEvidence, to ways: WritableKeyPath<ContactedHost, Set<ContactedHost.Way>>, isControl: Bool = false
    ) {
        let lookups = HostLookups(run)
        var told: [IPAddress: [Lookup]] = [:]
        // Look-ups come first: they know more about names than the addresses.
        for lookup in run.lookups {
            for address in lookup.answers + (lookup.literal.map { [.ipv4($0)] } ?? []) {
                told[address, default: []].append(lookup)
            }
            guard let identity = Self.identity(of: lookup) else { continue }
            // A tool such as dig reads the address of the resolver, which has IPv4 on dual-stack. A host that was used has a flow.
            if isControl, lookup.literal != nil { continue }
            change(identity) { $0.add(lookup.site) }
        }
        for question in run.seen.questions where Self.isOfHosts(question.question) {
            change(.name(question.question.name)) { _ in }
        }
        var behind: [IPAddress: ContactedHost.Identity] = [:]
        for flow in run.seen.flows where !flow.isInbound && Self.isUnicast(flow.remote) {
            let identity = lookups[flow].flatMap(Self.identity) ?? .address(flow.host)
            behind[flow.remote] = identity
            change(identity) { host in
                host.add(ContactedHost.End(transport: flow.transport, port: flow.port))
                if flow.isAnswered { host[keyPath: ways].insert(Self.way(of: flow, on: run.network)) }
            }
        }
        for call in run.calls?.attempts ?? [] {
            guard let address = call.address?.ip, let port = call.address?.port, Self.isUnicast(address) else {
                continue
            }
            var site = CallSite(program: run.calls?.program(of: call).map { baseName($0.executable) })
            if let frame = call.frames.own { site.stand(at: frame, through: call.frames.through) }
            // A name and a literal may have the same address: the one that was looked up on the line of the call is meant.
            let lookups = told[address] ?? []
            let atLine = lookups.first { $0.site.isSameLine(as: site) }.flatMap(Self.identity)
            if let identity = atLine ?? behind[address] {
                change(identity) { $0.add(site) }
            }
            if behind[address] == nil, case .ipv4 = address, port != 53 {
                // On an IPv6-only network a call to an IPv4 address produces no packet.
                change(atLine ?? lookups.first.flatMap(Self.identity) ?? .address(address)) { host in
                    host.add(site)
                    let isDatagram = call.socket?.type == SocketKind.datagram
                    host.add(ContactedHost.End(transport: isDatagram ? .udp : .tcp, port: port))
                }
            }
        }
    }

    private mutating func change(_ identity: ContactedHost.Identity, _ body: (inout ContactedHost) -> Void) {
        let place = places[identity] ?? hosts.count
        if place == hosts.count {
            hosts.append(ContactedHost(identity))
            places[identity] = place
        }
        body(&hosts[place])
    }

    private static func way(of flow: Flow, on network: Network) -> ContactedHost.Way {
        switch (flow.route, flow.remote) {
        case (.translated, .ipv6): .nat64
        case (.translated, .ipv4): .clat
        case (.direct, .ipv6): .ipv6
        case (.direct, .ipv4): network == .nat64CLAT ? .clat : .ipv4
        }
    }

    private static func identity(of lookup: HostLookup) -> ContactedHost.Identity? {
        switch lookup {
        case .function(let lookup): identity(of: lookup)
        case .network(let name): .name(name)
        case .resolver(let query): .name(query.question.name)
        }
    }

    /// `nil` for an address that stays in the machine, and for a call that only reads or writes an address.
    private static func identity(of lookup: Lookup) -> ContactedHost.Identity? {
        guard let node = lookup.node else { return nil }
        if let literal = lookup.literal { return .address(.ipv4(literal)) }
        // A name whose last label is all digits is an address, however it is written.
        guard IPAddress(node) == nil, let name = try? DomainName(node), isOfNetwork(name),
            name.labels.last?.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) == false
        else { return nil }
        return .name(name)
    }

    private static func isOfHosts(_ question: Question) -> Bool {
        [.a, .aaaa].contains(question.type) && isOfNetwork(question.name)
    }

    private static let localhost = try? DomainName("localhost.")

    /// Whether it is neither a name of the machine's own (RFC 6761 §6.3) nor the name for the discovery of NAT64 (RFC 7050).
    private static func isOfNetwork(_ name: DomainName) -> Bool {
        !name.ancestors.contains { $0 == localhost } && name != IPv4OnlyName.name
    }

    /// Whether it is a host's address, not a loopback, multicast, broadcast or link-local one.
    private static func isUnicast(_ address: IPAddress) -> Bool {
        switch address {
        case .ipv4(let address):
            !([0, 127].contains(address.bits >> 24) || address.bits >> 28 >= 0xe || address.bits >> 16 == 0xa9fe)
        case .ipv6(let address):
            !(address == .loopback || address == .unspecified || address.isMulticast || address.isLinkLocal)
        }
    }
}

extension CallSite {
    /// Whether it is the same line, whatever function is called there; without lines, the same program.
    fileprivate func isSameLine(as other: CallSite) -> Bool {
        (file, line) == (other.file, other.line) && (line != nil || program == other.program)
    }
}
