import Wire
import DNSWire
import YAMLFile

/// Makes a world of the declarations of its file, and checks each against all others.
struct WorldAssembly {
    private(set) var problems: [YAMLFileError.Problem] = []
    private var records: [Located<ResourceRecord>] = []
    private var services: [Socket: (kind: ServiceKind, hostNames: [DomainName])] = [:]

    /// Where a service listens: what no two services of different kinds can share.
    private struct Socket: Hashable {
        var address: IPAddress
        var transport: ServiceKind.Transport
        var port: UInt16
    }

    mutating func assemble(hosts: [HostDeclaration], records extra: [Located<ResourceRecord>]) -> World {
        for host in hosts {
            addAddressRecords(of: host)
            for service in host.services { add(service, of: host) }
        }
        records += extra
        checkRecords()
        return World(
            hosts: hosts.map { World.Host(name: $0.name.value, addresses: $0.addresses.map(\.value)) },
            records: records.map(\.value),
            services: sortedServices)
    }

    private mutating func report(_ message: String, at position: SourcePosition) {
        problems.append(YAMLFileError.Problem(position: position, message: message))
    }

    // MARK: Records

    private mutating func addAddressRecords(of host: HostDeclaration) {
        for address in host.addresses {
            let data: RecordData =
                switch address.value {
                case .ipv4(let address): .a(address)
                case .ipv6(let address): .aaaa(address)
                }
            let record = ResourceRecord(name: host.name.value, ttl: host.ttl, data: data)
            records.append(Located(value: record, position: address.position))
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

    /// The data of one name, and in which lines they stand.
    private struct Node {
        private var lines: [RecordData: Int] = [:]
        private var alias: Int?
        private var other: Int?

        /// Adds a record; returns what speaks against it.
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

    // MARK: Services

    private mutating func add(_ service: Located<ServiceDeclaration>, of host: HostDeclaration) {
        let (kind, port) = (service.value.kind, service.value.port)
        for address in host.addresses.map(\.value) {
            let socket = Socket(address: address, transport: kind.transport, port: port)
            if let taken = services[socket], taken.kind != kind {
                report(
                    "\(kind.rawValue) cannot have port \(port) of \(address): \(taken.kind.rawValue) of "
                        + "\(taken.hostNames[0]) is there",
                    at: service.position)
            } else if services[socket] == nil, services.count == WorldFileLimits.services {
                return report("a world has at most \(WorldFileLimits.services) services", at: service.position)
            } else {
                services[socket, default: (kind, [])].hostNames.append(host.name.value)
            }
        }
    }

    private var sortedServices: [World.Service] {
        let all = services.map { socket, service in
            World.Service(
                kind: service.kind, address: socket.address, port: socket.port, hostNames: service.hostNames)
        }
        return all.sorted { ($0.address, $0.port, $0.kind.rawValue) < ($1.address, $1.port, $1.kind.rawValue) }
    }
}
