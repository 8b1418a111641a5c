// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Wire

/// The names and addresses that a certificate is valid for (RFC 9525 §6.3, RFC 5280 §4.2.1.6).
struct CertificateNames: Hashable, Sendable {
    var names: [DomainName]
    var addresses: [IPAddress] = []

    /// GeneralNames in DER: a dNSName has the tag 2, an iPAddress 7.
    var encoded: [UInt8] {
        let hosts = names.compactMap(\.certificateText).map { DER.element(0x82, Array($0.utf8)) }
        return DER.element(0x30, Array((hosts + addresses.map { DER.element(0x87, $0.octets) }).joined()))
    }
}

/// The names by which clients reach the hosts of a service, and the host of each name.
///
/// A name is a host's own, or an alias that leads to it (www.shop.test to shop.test). A name that has the service's address
/// but is neither a host nor an alias belongs to the first host of the service.
struct ServedNames: Sendable {
    /// In the order of the world file. Each host has all its names, its own first.
    private(set) var hosts: [(host: DomainName, names: [DomainName])] = []
    private var hostByName: [DomainName: DomainName] = [:]

    init(_ service: World.Service, in world: World) {
        let allHosts = Set(world.hosts.map(\.name))
        var aliases: [DomainName: [DomainName]] = [:]
        var others: [DomainName] = []
        for record in world.records + world.zones.flatMap(\.records) {
            if case .cname(let target) = record.data {
                aliases[target, default: []].append(record.name)
            } else if record.data.address == service.address, !allHosts.contains(record.name) {
                others.append(record.name)
            }
        }
        for host in service.hostNames {
            var left = [host] + others
            others = []
            var names: [DomainName] = []
            // Each name is visited once, so the walk also ends if aliases form a loop.
            while !left.isEmpty {
                let name = left.removeFirst()
                guard hostByName[name] == nil else { continue }
                hostByName[name] = host
                names.append(name)
                left += aliases[name] ?? []
            }
            hosts.append((host, names))
        }
    }

    func names(of host: DomainName) -> [DomainName]? { hosts.first { $0.host == host }?.names }

    /// The host that a client named; `nil` if the service has no such name. A host or an alias may have a wildcard as its first
    /// label (RFC 9525 §6.3).
    func host(named text: String) -> DomainName? {
        guard let name = try? DomainName(text) else { return nil }
        if let host = hostByName[name] { return host }
        guard let parent = name.parent, !parent.isRoot, let wildcard = try? DomainName("*.\(parent)") else {
            return nil
        }
        return hostByName[wildcard]
    }

    /// The host named in an HTTP request's field Host, or in the authority of its target (RFC 9110 §7.2).
    func host(ofAuthority authority: String) -> DomainName? {
        let host = authority.prefix { $0 != ":" }
        // Brackets enclose an address (RFC 3986 §3.2.2).
        guard !host.isEmpty, !host.hasPrefix("["), IPAddress(String(host)) == nil else { return nil }
        return self.host(named: String(host))
    }

    /// Whether the service refuses requests for this host.
    func isUnknown(_ authority: String, to service: World.Service) -> Bool {
        service.web.unknownHost != nil && host(ofAuthority: authority) == nil
    }
}

extension RecordData {
    fileprivate var address: IPAddress? {
        switch self {
        case .a(let address): .ipv4(address)
        case .aaaa(let address): .ipv6(address)
        default: nil
        }
    }
}

extension DomainName {
    /// The name as in a certificate, without the final dot; `nil` if it cannot be part of a URL.
    var certificateText: String? {
        let text = description.dropLast()
        return text.isEmpty || text.contains("\\") ? nil : String(text)
    }
}
