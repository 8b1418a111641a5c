// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Topology
import Wire

/// Makes a world from the declarations of its file, and checks each against all others.
struct WorldAssembly {
    private(set) var problems: [YAMLFileError.Problem] = []
    private var records: [Located<ResourceRecord>] = []
    private var services: [Socket: (kind: ServiceKind, hostNames: [DomainName], web: WebSettings)] = [:]

    /// A socket address, which services of different kinds cannot share.
    private struct Socket: Hashable {
        var address: IPAddress
        var transport: ServiceKind.Transport
        var port: UInt16
    }

    mutating func assemble(_ declared: WorldFileReader) -> World {
        let hosts = declared.hosts
        let zones = ZoneIndex(declared.zones.map(\.value))
        for host in hosts {
            if let zone = zones.zone(of: host.name.value) {
                checkAddresses(of: host, in: zone)
            } else {
                addAddressRecords(of: host)
            }
            for service in host.services { add(service, of: host) }
        }
        for record in declared.records {
            if let zone = zones.zone(of: record.value.name) {
                report(
                    "\(record.value.name) lies in the zone \(zone.apex): write the record there", at: record.position)
            }
        }
        records += declared.records
        checkRecords()
        checkPaths(of: hosts)
        let reverse = reverseRecords(of: hosts, besides: zones)
        var world = World(
            hosts: hosts.map { World.Host(name: $0.name.value, addresses: $0.addresses.map(\.value)) },
            records: records.map(\.value), reverseRecords: reverse, zones: declared.zones.map(\.value),
            forwarders: declared.forwarders,
            validation: declared.validation,
            services: sortedServices)
        world.paths = hosts.map(\.path).filter { !$0.isNone }
        return world
    }

    private mutating func report(_ message: String, at position: SourcePosition) {
        problems.append(YAMLFileError.Problem(position: position, message: message))
    }

    // MARK: Records

    private mutating func addAddressRecords(of host: HostDeclaration) {
        for address in host.addresses {
            let record = ResourceRecord(name: host.name.value, ttl: host.ttl, data: RecordData(address.value))
            records.append(Located(value: record, position: address.position))
        }
    }

    /// PTR records that lead from an address to its host, unless the file itself has data for that name.
    private func reverseRecords(of hosts: [HostDeclaration], besides zones: ZoneIndex) -> [ResourceRecord] {
        let written = Set(records.map(\.value.name))
        return hosts.flatMap { host in
            host.addresses.compactMap { address -> ResourceRecord? in
                let name = ReverseName.name(of: address.value)
                if written.contains(name) || zones.zone(of: name) != nil { return nil }
                return ResourceRecord(name: name, ttl: host.ttl, data: .ptr(host.name.value))
            }
        }
    }

    /// A zone has all data of its names, so the host's addresses must be in there.
    private mutating func checkAddresses(of host: HostDeclaration, in zone: World.Zone) {
        for address in host.addresses {
            let data = RecordData(address.value)
            if zone.records.contains(where: { $0.name == host.name.value && $0.data == data }) { continue }
            report(
                "\(host.name.value) lies in the zone \(zone.apex), which does not have this address for it: write "
                    + "\(host.name.value) \(data.type) \(data) there", at: address.position)
        }
    }

    private mutating func checkRecords() {
        var nodes: [DomainName: Node] = [:]
        for record in records {
            if let objection = nodes[record.value.name, default: Node()].add(record.value, line: record.position.line) {
                report(objection, at: record.position)
            }
        }
    }

    /// The data of one name, and their lines in the file.
    private struct Node {
        private var lines: [RecordData: Int] = [:]
        private var alias: Int?
        private var other: Int?

        /// Adds a record; returns an objection to it, if there is one.
        mutating func add(_ record: ResourceRecord, line: Int) -> String? {
            defer {
                lines[record.data] = lines[record.data] ?? line
                if record.type == .cname { alias = alias ?? line } else { other = other ?? line }
            }
            if let line = lines[record.data] {
                return "\(record.name) has this \(record.type) record in line \(line): keep one"
            }
            // RFC 1034 §3.6.2: "If a CNAME RR is present at a node, no other data should be present".
            if let alias { return "\(record.name) is an alias in line \(alias) and can have no other data" }
            if record.type == .cname, let other {
                return "\(record.name) cannot be an alias: it has other data in line \(other)"
            }
            return nil
        }
    }

    // MARK: Paths

    /// All hosts that share an address must have the same path.
    private mutating func checkPaths(of hosts: [HostDeclaration]) {
        var first: [IPAddress: HostPath] = [:]
        for host in hosts {
            for address in host.addresses {
                let other = first[address.value] ?? host.path
                first[address.value] = other
                if other.link != host.path.link || other.routers != host.path.routers {
                    report(
                        "\(address.value) is \(other.name)'s, too, which has another link or path: write the same of both",
                        at: address.position)
                }
            }
        }
        if hosts.count(where: { !$0.path.isNone }) > WorldFileLimits.paths, let host = hosts.first {
            report("at most \(WorldFileLimits.paths) hosts have a link or path", at: host.name.position)
        }
    }

    // MARK: Services

    private mutating func add(_ service: Located<ServiceDeclaration>, of host: HostDeclaration) {
        let (kind, port) = (service.value.kind, service.value.port)
        for address in host.addresses.map(\.value) {
            let socket = Socket(address: address, transport: kind.transport, port: port)
            if let taken = services[socket], taken.kind != kind {
                report(
                    "\(kind.word) cannot have port \(port) of \(address): \(taken.kind.word) of "
                        + "\(taken.hostNames[0]) is there",
                    at: service.position)
            } else if services[socket] == nil, services.count == WorldFileLimits.services {
                return report("a world has at most \(WorldFileLimits.services) services", at: service.position)
            } else {
                var shared = services[socket] ?? (kind, [], WebSettings())
                shared.hostNames.append(host.name.value)
                if let key = shared.web.join(service.value.web) {
                    report(
                        "\(key) is another one of \(kind.word) of \(shared.hostNames[0]), which has port \(port) of \(address) too",
                        at: service.position)
                }
                services[socket] = shared
            }
        }
    }

    private var sortedServices: [World.Service] {
        let all = services.map { socket, service in
            World.Service(
                kind: service.kind, address: socket.address, port: socket.port, hostNames: service.hostNames,
                web: service.web)
        }
        return all.sorted { ($0.address, $0.port, $0.kind.word) < ($1.address, $1.port, $1.kind.word) }
    }
}

/// Finds the zone of a name among several.
private struct ZoneIndex {
    private let zones: [DomainName: World.Zone]

    init(_ zones: [World.Zone]) {
        self.zones = Dictionary(zones.map { ($0.apex, $0) }) { first, _ in first }
    }

    func zone(of name: DomainName) -> World.Zone? {
        name.ancestors.first { zones[$0] != nil }.flatMap { zones[$0] }
    }
}

extension RecordData {
    /// The data of an address record.
    init(_ address: IPAddress) {
        switch address {
        case .ipv4(let address): self = .a(address)
        case .ipv6(let address): self = .aaaa(address)
        }
    }
}
