// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Wire

extension World {
    /// The world of `fixtures/worlds/demo.yaml`, as the reader of world files makes it (`DemoWorldTests`). A run that reads no file need
    /// not wait for the parser.
    package static let demo: World = {
        let (shop, two, echo) = (name("shop"), name("two"), name("echo"))
        let (dual, six) = (name("dual"), name("six"))
        let hosts = [
            Host(name: shop, addresses: [ipv4(10)]), Host(name: two, addresses: [ipv4(10), ipv4(11)]),
            Host(name: echo, addresses: [ipv4(7)]), Host(name: dual, addresses: [ipv4(20), ipv6(0x20)]),
            Host(name: six, addresses: [ipv6(6)]),
        ]
        func perAddress(_ record: (Host, IPAddress) -> (name: DomainName, data: RecordData)) -> [ResourceRecord] {
            hosts.flatMap { host in
                host.addresses.map { address in
                    let record = record(host, address)
                    return ResourceRecord(name: record.name, ttl: WorldFileReader.defaultTTL, data: record.data)
                }
            }
        }
        let others: [(DomainName, RecordData)] = [
            (name("www", "shop"), .cname(shop)), (name("mail"), .mx(preference: 10, exchange: shop)),
        ]
        return World(
            hosts: hosts,
            records: perAddress { ($0.name, RecordData($1)) }
                + others.map { ResourceRecord(name: $0, ttl: WorldFileReader.defaultTTL, data: $1) },
            reverseRecords: perAddress { (ReverseName.name(of: $1), .ptr($0.name)) },
            zones: [], forwarders: nil, validation: nil,
            services: [
                Service(kind: .tcpEcho, address: ipv4(7), port: 7, hostNames: [echo]),
                Service(kind: .udpEcho, address: ipv4(7), port: 7, hostNames: [echo]),
                Service(kind: .http, address: ipv4(10), port: 80, hostNames: [shop, two]),
                Service(kind: .https, address: ipv4(10), port: 443, hostNames: [shop]),
                Service(kind: .http, address: ipv4(11), port: 80, hostNames: [two]),
                Service(kind: .http, address: ipv4(20), port: 80, hostNames: [dual]),
                Service(kind: .https, address: ipv4(20), port: 443, hostNames: [dual]),
                Service(kind: .http, address: ipv6(6), port: 80, hostNames: [six]),
                Service(kind: .https, address: ipv6(6), port: 443, hostNames: [six]),
                Service(kind: .http, address: ipv6(0x20), port: 80, hostNames: [dual]),
                Service(kind: .https, address: ipv6(0x20), port: 443, hostNames: [dual]),
            ])
    }()

    /// A name in the .test domain (RFC 6761 §6.2).
    private static func name(_ labels: String...) -> DomainName {
        try! DomainName(labels: (labels + ["test"]).map { Array($0.utf8) })
    }

    /// An address of 198.51.100.0/24 (RFC 5737).
    private static func ipv4(_ octet: UInt8) -> IPAddress { .ipv4(IPv4Address(198, 51, 100, octet)) }

    /// An address of 2e00:2:0:cafe::/64.
    private static func ipv6(_ group: UInt16) -> IPAddress { .ipv6(IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 0, group)) }
}
