// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import Topology
import NAT64
import Testing
import Translation
import Wire

@testable import ConfigurationText
import TestSupport

private func read(_ yaml: String) throws(YAMLFileError) -> TranslatorConfiguration {
    try TranslatorConfiguration(yaml: Array(yaml.utf8), name: "c.yaml")
}

@Suite struct `A configuration file` {
    @Test(arguments: ["version: 1", "version: 1\nnat64:", "version: 1\nnat64: {}"])
    func `that says nothing leaves everything as it is`(yaml: String) throws {
        let (read, standard) = (try read(yaml), TranslatorConfiguration())
        #expect(read.mode == .stateful && standard.mode == .stateful)
        #expect(read.nat64.prefixes == [.wellKnown])
        #expect(read.nat64.pool == [IPv4Address(192, 0, 2, 64)])
        #expect(read.nat64.lifetimes == standard.nat64.lifetimes && read.nat64.limits == standard.nat64.limits)
        #expect(read.nat64.translation == standard.nat64.translation && read.faults == LinkFaults())
    }

    @Test func `may be the daemon's, whose other sections say nothing about packets`() throws {
        let configuration = try read(
            """
            version: 1
            world: demo
            prefix: 2001:db8:64::/96
            dns64: { profile: google }
            uplink: hermetic
            clients: { most: 2 }
            control: { everyone: true }
            log: { format: json }
            nat64: { seed: 3 }
            """)
        #expect(configuration.nat64.prefixes == [try Pref64("2001:db8:64::/96")])
        #expect(configuration.seed == 3)
    }

    @Test func `can say everything about the stateful translator`() throws {
        let configuration = try read(
            """
            version: 1
            nat64:
              mode: stateful
              seed: 42
              prefixes: [2001:db8:64::/96, 64:ff9b::/96]
              exempt-ipv4: 10.0.0.0/8
              pool: [192.0.2.1, 192.0.2.8/30]
              static-bindings:
                - { protocol: icmp, ipv6: 2001:db8::5, ipv6-port: 7, ipv4: 192.0.2.1, ipv4-port: 0 }
              filtering: address-dependent
              pooling: paired-where-possible
              preserve-port-parity: no
              refuse-ipv4-initiated-tcp: true
              probe-idle-connections: no
              refresh-from-ipv4: off
              time-outs: { udp: 2m, icmp-query: 90, tcp-established: 3h, tcp-transitory: 250ms, tcp-incoming-syn: 7,
                fragments: 2.5, port-hold-off: 0, allow-short: true }
              limits: { sessions: 1, bindings: 2, bindings-per-host: 3, sessions-per-host: none, stored-syns: 5,
                fragmented-datagrams: 6, fragment-octets: 7 }
              udp-zero-checksum: drop
              udp-zero-checksum-fragments: drop
              ipv6-mtu: 1280
              ipv4-mtu: 9000
              lowest-ipv6-mtu: 1400
              traffic-class: zero
              tos: zero
              plateaus: false
              errors: { enabled: false, ipv6-source: "2001:db8::9", ipv4-source: 192.0.2.9, per-second: 5, burst: 6 }
              faults: { ipv6-black-hole: 1300, ipv4-black-hole: 1400 }
            """)
        let nat64 = configuration.nat64
        #expect(configuration.seed == 42)
        #expect(nat64.prefixes == [try Pref64("2001:db8:64::/96"), .wellKnown])
        #expect(nat64.exemptIPv4 == [IPv4Prefix("10.0.0.0/8")])
        #expect(nat64.pool.map { "\($0)" } == ["192.0.2.1", "192.0.2.8", "192.0.2.9", "192.0.2.10", "192.0.2.11"])
        #expect(nat64.staticBindings.map { "\($0)" } == ["icmp [2001:db8::5]:7 <-> 192.0.2.1:0"])
        #expect(nat64.filtering == .addressDependent && nat64.pooling == .pairedWherePossible)
        #expect(!nat64.preservesPortParity && nat64.refusesIPv4InitiatedTCP && !nat64.refreshesFromIPv4)
        var lifetimes = Lifetimes()
        lifetimes.udp = .seconds(120)
        lifetimes.icmpQuery = .seconds(90)
        lifetimes.tcpEstablished = .seconds(10_800)
        lifetimes.tcpTransitory = .milliseconds(250)
        lifetimes.tcpIncomingSYN = .seconds(7)
        lifetimes.fragments = .milliseconds(2_500)
        lifetimes.portHoldOff = .zero
        #expect(nat64.lifetimes == lifetimes && nat64.allowsShortLifetimes && !nat64.probesIdleConnections)
        var limits = Limits()
        limits.sessions = 1
        limits.bindings = 2
        limits.bindingsPerHost = 3
        limits.storedSYNs = 5
        limits.fragmentedDatagrams = 6
        limits.fragmentOctets = 7
        #expect(nat64.limits == limits)
        #expect(nat64.zeroChecksumFragments == .drop)
        #expect(
            nat64.translation
                == TranslationOptions(
                    ipv6MTU: 1280, ipv4MTU: 9000, lowestIPv6MTU: 1400, zeroesTrafficClass: true, zeroesTOS: true,
                    udpZeroChecksum: .drop, usesPlateaus: false))
        var errors = ErrorPolicy(ipv6Source: IPv6Address("2001:db8::9")!, ipv4Source: IPv4Address(192, 0, 2, 9))
        errors.isEnabled = false
        errors.perSecond = 5
        errors.burst = 6
        #expect(nat64.errors == errors)
        #expect(configuration.faults.ipv6BlackHole == 1300 && configuration.faults.ipv4BlackHole == 1400)
    }

    @Test func `can give some ports of an address to the pool`() throws {
        let configuration = try read(
            """
            version: 1
            nat64:
              pool: [192.0.2.1, { address: 192.0.2.8/31, ports: 61000-65535 }]
              errors: { source-icmpv6-errors-better: false }
            """)
        let shared = [IPv4Address(192, 0, 2, 8), IPv4Address(192, 0, 2, 9)]
        #expect(configuration.nat64.pool == [IPv4Address(192, 0, 2, 1)] + shared)
        #expect(configuration.nat64.poolPorts == [shared[0]: 61_000...65_535, shared[1]: 61_000...65_535])
        #expect(!configuration.nat64.errors.keepsRouterAddresses)
    }

    @Test func `can say everything about the stateless translator`() throws {
        let configuration = try read(
            """
            version: 1
            nat64:
              mode: stateless
              prefixes: 2001:db8:64::/64
              explicit-address-mappings:
                - { ipv4: 192.0.2.0/24, ipv6: 2001:db8:1::/120 }
                - { ipv4: 192.0.2.7, ipv6: 2001:db8:2::7 }
              errors: { ipv4-pool: [192.0.2.100, 192.0.2.101], rfc6791v6-prefix: "2001:db8:6791::/96" }
            """)
        #expect(configuration.nat64.errors.ipv6Prefix == IPv6Prefix("2001:db8:6791::/96"))
        #expect(configuration.mode == .stateless)
        #expect(configuration.nat64.prefixes == [try Pref64("2001:db8:64::/64")])
        #expect(configuration.mappings.ipv6Address(of: IPv4Address(192, 0, 2, 8)) == IPv6Address("2001:db8:1::8"))
        #expect(configuration.mappings.ipv6Address(of: IPv4Address(192, 0, 2, 7)) == IPv6Address("2001:db8:2::7"))
        #expect(configuration.errorSources == [IPv4Address(192, 0, 2, 100), IPv4Address(192, 0, 2, 101)])
    }

    @Test(arguments: ["stateful.yaml", "stateless.yaml", "strict-nat.yaml"])
    func `of the examples is right`(name: String) throws {
        _ = try TranslatorConfiguration(file: "\(projectRoot)fixtures/nat64/\(name)")
    }
}
