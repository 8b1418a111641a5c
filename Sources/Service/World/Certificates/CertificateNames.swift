// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Wire

/// The names and addresses that a certificate is made out to (RFC 9525 §6.3, RFC 5280 §4.2.1.6).
struct CertificateNames: Hashable, Sendable {
    var names: [DomainName]
    var addresses: [IPAddress] = []

    /// As GeneralNames in DER: a dNSName has the tag 2, an iPAddress 7.
    var encoded: [UInt8] {
        let hosts = names.compactMap(\.certificateText).map { DER.element(0x82, Array($0.utf8)) }
        return DER.element(0x30, Array((hosts + addresses.map { DER.element(0x87, $0.octets) }).joined()))
    }
}

/// The names under which clients come to the hosts of a service, and which host that is.
///
/// A name is a host's own, or an alias that leads to it (www.shop.test of shop.test). What has a host's address without being a
/// host or an alias is a name of the first host of the service at that address.
struct ServedNames: Sendable {
    /// In the order of the world file, each with all its names, its own first.
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
            // Each name is visited once, so that aliases in a circle end the walk.
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

    /// Whose name a client has written; `nil` if nobody's here. A host or an alias may be a wildcard for one label
    /// (RFC 9525 §6.3).
    func host(named text: String) -> DomainName? {
        guard let name = try? DomainName(text) else { return nil }
        if let host = hostByName[name] { return host }
        guard let parent = name.parent, !parent.isRoot, let wildcard = try? DomainName("*.\(parent)") else {
            return nil
        }
        return hostByName[wildcard]
    }

    /// Whose name stands in an HTTP request's field Host, or in the authority of its target (RFC 9110 §7.2).
    func host(ofAuthority authority: String) -> DomainName? {
        let host = authority.prefix { $0 != ":" }
        // What stands in brackets is an address (RFC 3986 §3.2.2).
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
    /// The name as a certificate writes it: without the final dot. `nil` for names that no URL can hold.
    var certificateText: String? {
        let text = description.dropLast()
        return text.isEmpty || text.contains("\\") ? nil : String(text)
    }
}
