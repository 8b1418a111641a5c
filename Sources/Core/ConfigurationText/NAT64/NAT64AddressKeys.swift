// SPDX-License-Identifier: Apache-2.0
import NAT64
import Text
import Translation
import Wire

/// The keys of the `nat64` section that assign addresses.
extension NAT64SectionReader {
    static var addressKeys: [Key] {
        [
            Key("prefixes") { reader, node in
                reader.configuration.nat64.prefixes = reader.items(node).compactMap { reader.pref64($0) }
            },
            Key("exempt-ipv4") { reader, node in
                reader.configuration.nat64.exemptIPv4 = reader.items(node).compactMap {
                    reader.ipv4Prefix($0, "exempt-ipv4")
                }
            },
            Key("pool", only: .stateful) { $0.readPool($1) },
            Key("static-bindings", only: .stateful) { reader, node in
                for item in reader.items(node) { reader.readStaticBinding(item) }
            },
            Key("explicit-address-mappings", only: .stateless) { $0.readMappings($1) },
        ]
    }

    // MARK: - The pool

    /// Addresses, and prefixes with all of their addresses, with all ports or with a range of them.
    private mutating func readPool(_ node: YAMLNode) {
        var pool: [IPv4Address] = []
        for item in items(node) {
            guard let (prefix, ports) = poolItem(item) else { continue }
            if prefix.address.isIllegal {
                report("no packet may come from \(prefix): it cannot be in the pool", at: item.position)
            } else if pool.count + 1 << (32 - prefix.length) > Self.maximumPoolAddresses {
                report("the pool has \(Self.maximumPoolAddresses) addresses at most", at: item.position)
            } else {
                let addresses = (0..<UInt32(1) << UInt32(32 - prefix.length)).map {
                    IPv4Address(bits: prefix.address.bits &+ $0)
                }
                pool += addresses
                if let ports { for address in addresses { configuration.nat64.poolPorts[address] = ports } }
            }
        }
        configuration.nat64.pool = pool
    }

    private mutating func poolItem(_ node: YAMLNode) -> (IPv4Prefix, ports: ClosedRange<UInt16>?)? {
        guard case .map(let entries) = node.content else { return ipv4Prefix(node, "pool").map { ($0, nil) } }
        let fields = fields(entries, of: "a port range of the pool", named: ["address", "ports"])
        guard let address = fields["address"], let ports = fields["ports"] else {
            report(
                "a port range of the pool has address and ports, such as { address: 192.0.2.64, ports: 1024-65535 }",
                at: node.position)
            return nil
        }
        guard let prefix = ipv4Prefix(address, "address"), let ports = portRange(ports) else { return nil }
        return (prefix, ports)
    }

    private mutating func portRange(_ node: YAMLNode) -> ClosedRange<UInt16>? {
        if case .scalar(let text) = node.content {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            if ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let first = UInt16(ends[0]), let last = UInt16(ends[1]), first <= last, last > 0
            {
                return first...last
            }
        }
        report("ports must be a range such as 1024-65535, not \(node.kindDescription)", at: node.position)
        return nil
    }

    private static let maximumPoolAddresses = 4_096

    // MARK: - Static bindings

    private mutating func readStaticBinding(_ node: YAMLNode) {
        let example = "{ protocol: tcp, ipv6: 2001:db8::5, ipv6-port: 443, ipv4: 192.0.2.64, ipv4-port: 443 }"
        guard let entries = map(node, whatItIs: "a static binding", example: example) else { return }
        let names = ["protocol", "ipv6", "ipv6-port", "ipv4", "ipv4-port"]
        let fields = fields(entries, of: "a static binding", named: names)
        let missing = names.filter { fields[$0] == nil }
        guard let transport = fields["protocol"], let host = fields["ipv6"], let hostPort = fields["ipv6-port"],
            let mapped = fields["ipv4"], let mappedPort = fields["ipv4-port"]
        else {
            return report(
                "a static binding has all of \(enumerated(names)): \(enumerated(missing)) missing", at: node.position)
        }
        let protocols: [(String, TransportProtocol)] = [("udp", .udp), ("tcp", .tcp), ("icmp", .icmp)]
        guard let transport = choice(transport, "protocol", protocols), let host = ipv6Address(host, "ipv6"),
            let hostPort = number(hostPort, "ipv6-port", in: 0...65_535),
            let mapped = ipv4Address(mapped, "ipv4"),
            let mappedPort = number(mappedPort, "ipv4-port", in: 0...65_535)
        else { return }
        configuration.nat64.staticBindings.append(
            StaticBinding(
                transport, TransportAddress6(host, UInt16(hostPort)), TransportAddress4(mapped, UInt16(mappedPort))))
        bindingPlaces.append(node.position)
    }

    // MARK: - Explicit address mappings

    private mutating func readMappings(_ node: YAMLNode) {
        var mappings: [ExplicitAddressMapping] = []
        for item in items(node) {
            guard let mapping = readMapping(item) else { continue }
            mappings.append(mapping)
            do throws(ExplicitAddressMappingTable.Conflict) {
                configuration.mappings = try ExplicitAddressMappingTable(mappings)
            } catch {
                report("\(error): keep one", at: item.position)
                mappings.removeLast()
            }
        }
    }

    private mutating func readMapping(_ node: YAMLNode) -> ExplicitAddressMapping? {
        let example = "{ ipv4: 192.0.2.0/24, ipv6: 2001:db8::/120 }"
        guard let entries = map(node, whatItIs: "an explicit address mapping", example: example) else { return nil }
        let fields = fields(entries, of: "an explicit address mapping", named: ["ipv4", "ipv6"])
        guard let ipv4 = fields["ipv4"], let ipv6 = fields["ipv6"] else {
            report("an explicit address mapping has ipv4 and ipv6, such as \(example)", at: node.position)
            return nil
        }
        guard let ipv4 = ipv4Prefix(ipv4, "ipv4"), let ipv6 = ipv6Prefix(ipv6, "ipv6") else { return nil }
        guard let mapping = ExplicitAddressMapping(ipv4, ipv6) else {
            report(
                "\(ipv6) has fewer addresses than \(ipv4): each IPv4 address needs one (RFC 7757 §3.1)",
                at: node.position)
            return nil
        }
        return mapping
    }
}
