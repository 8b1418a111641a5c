// SPDX-License-Identifier: Apache-2.0
import Text
import Topology
import Wire
import DNSWire

/// The hosts of a world file:
///
///     shop.test:
///       addresses: [198.51.100.10, 2e00:2:0:cafe::10]
///       services: [http, https]                       # at their own ports (`ServiceSection.swift`)
///       ttl: 60
///       link: { delay: 80ms }                         # `HostPathSection.swift`
///       path: [198.51.100.1, silent]
extension WorldFileReader {
    mutating func readHosts(_ section: YAMLNode, defaultTTL: UInt32) -> [HostDeclaration] {
        guard let entries = map(section, whatItIs: "hosts", example: Self.hostExample) else { return [] }
        var hosts: [HostDeclaration] = []
        var positions: [DomainName: SourcePosition] = [:]
        for entry in entries {
            guard let name = readHostName(entry.key) else { continue }
            // Names that differ only in case or by a final dot are the same name, but different keys in YAML.
            if let first = positions.updateValue(entry.key.position, forKey: name) {
                report("the host \(name) stands in line \(first.line) already: join the two", at: entry.key.position)
                continue
            }
            let named = Located(value: name, position: entry.key.position)
            if let host = readHost(entry.value, named: named, defaultTTL: defaultTTL) { hosts.append(host) }
        }
        return hosts
    }

    private static let hostExample = "shop.test: { addresses: [198.51.100.10], services: [http] }"

    private mutating func readHostName(_ node: YAMLNode) -> DomainName? {
        guard case .scalar(let text) = node.content else {
            report("a host is named by text, such as shop.test, not by \(node.kindDescription)", at: node.position)
            return nil
        }
        do throws(DomainNameError) {
            let name = try DomainName(text)
            if !name.isRoot { return name }
            report("the root cannot be a host: write a name such as shop.test", at: node.position)
        } catch {
            report("\"\(excerpt(text))\" cannot name a host: \(error)", at: node.position)
        }
        return nil
    }

    private mutating func readHost(
        _ node: YAMLNode, named name: Located<DomainName>, defaultTTL: UInt32
    ) -> HostDeclaration? {
        guard let entries = map(node, whatItIs: "a host", example: "{ addresses: [198.51.100.10], services: [http] }")
        else { return nil }
        let fields = fields(entries, of: "a host", named: ["addresses", "services", "ttl", "link", "path"])
        let ttl = fields["ttl"].map { readTTL($0) } ?? defaultTTL
        let services = fields["services"].map { readServices($0, of: name.value) } ?? []
        let written = fields["addresses"].map(items) ?? []
        if written.isEmpty {
            let purpose = services.isEmpty ? "" : " to offer its services at"
            report(
                "\(name.value) has no address\(purpose): write addresses: [198.51.100.10]",
                at: fields["addresses"]?.position ?? name.position)
        }
        var addresses: [Located<IPAddress>] = []
        var seen: Set<IPAddress> = []
        for address in written.compactMap({ readAddress($0) }) {
            if seen.insert(address.value).inserted {
                addresses.append(address)
            } else {
                report("\(name.value) has the address \(address.value) already: keep one", at: address.position)
            }
        }
        var path = HostPath(to: String(name.value.description.dropLast()), addresses.map(\.value))
        if let node = fields["link"] { readLink(node, into: &path) }
        if let node = fields["path"] { path.routers = readRouters(node) }
        return HostDeclaration(name: name, ttl: ttl, addresses: addresses, services: services, path: path)
    }

    mutating func readAddress(_ node: YAMLNode) -> Located<IPAddress>? {
        guard case .scalar(let text) = node.content, let address = IPAddress(text) else {
            report(
                "an address is written like 198.51.100.10 or 2e00:2:0:cafe::10, not \(node.kindDescription)",
                at: node.position)
            return nil
        }
        if let reason = AddressRules.objection(to: address) {
            report("\(address) \(reason): \(AddressRules.recommendation)", at: node.position)
            return nil
        }
        return Located(value: address, position: node.position)
    }
}
