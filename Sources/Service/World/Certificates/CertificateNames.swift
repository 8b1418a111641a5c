import ConfigurationText
import DNSWire
import SwiftASN1
import Wire
import X509

/// Every name and address by which a client may come to a server (RFC 6125 §6.4, RFC 5280 §4.2.1.6).
struct CertificateNames: Hashable {
    var names: [DomainName]
    var addresses: [IPAddress]

    var generalNames: [GeneralName] {
        let hosts = names.compactMap(\.certificateText).map(GeneralName.dnsName)
        return hosts + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0.octets[...])) }
    }
}

extension World {
    /// The names and addresses of the hosts named, of all that is an alias of theirs (www.shop.test of shop.test), and of
    /// all that has an address of theirs without being a host itself.
    ///
    /// `synthesise` tells the IPv6 addresses under which clients of a NAT64 see an IPv4 address.
    func certificateNames(
        ofHosts hostNames: [DomainName], synthesise: (IPv4Address) -> [IPv6Address]
    ) -> CertificateNames {
        let addresses = hosts.filter { hostNames.contains($0.name) }.flatMap(\.addresses)
        let synthesised = addresses.compactMap(\.ipv4).flatMap(synthesise).map(IPAddress.ipv6)

        let allHosts = Set(hosts.map(\.name))
        var aliases: [DomainName: [DomainName]] = [:]
        var names = hostNames
        for record in records + zones.flatMap(\.records) {
            if case .cname(let target) = record.data {
                aliases[target, default: []].append(record.name)
            } else if let address = record.data.address, addresses.contains(address), !allHosts.contains(record.name) {
                names.append(record.name)
            }
        }
        // Each name is visited once, so that aliases in a circle end the walk.
        var found: Set<DomainName> = []
        var ordered: [DomainName] = []
        while !names.isEmpty {
            let name = names.removeFirst()
            guard found.insert(name).inserted else { continue }
            ordered.append(name)
            names += aliases[name] ?? []
        }
        return CertificateNames(names: ordered, addresses: addresses + synthesised)
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
    fileprivate var certificateText: String? {
        let text = description.dropLast()
        return text.isEmpty || text.contains("\\") ? nil : String(text)
    }
}
