// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import Glibc
import LinuxNet
import Simulator
import Translation
import Wire

/// Our DNS service in a separate process, so that its memory and time can be measured: this executable, started again.
///
///     Bench --dns-server names PORT FILE            knows the names; the upstream of all compared servers. The file contains
///                                                   the number of its queries
///     Bench --dns-server forwards PORT UPSTREAM     asks that upstream, and synthesises
enum OwnNameServer {
    static let flag = "--dns-server"
    static let prefix = "2001:db8:64::/96"
    static let names = 10_000

    static func name(_ number: Int) -> String { "n\(number).bench.test" }

    static func runIfAsked() {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == flag else { return }
        do {
            try serve(Array(words.dropFirst()))
        } catch {
            print(error)
            exit(1)
        }
    }

    /// Padded to the length of the largest number, so that a reader never sees a part of one.
    private static func write(_ counters: DNSCounters, to path: String) {
        let count = counters.queries.values.reduce(0, +)
        let digits = String(repeating: "0", count: 20 - "\(count)".count) + "\(count)"
        guard let file = try? Descriptor.open(path, flags: O_WRONLY) else { return }
        try? file.write(Array(digits.utf8))
    }

    private static func serve(_ words: [String]) throws {
        var configuration: ResolverConfiguration
        var count: String?
        switch (words.first, words.dropFirst().compactMap { UInt16($0) }) {
        case ("names", let ports) where ports.count == 1 && words.count == 3:
            count = words[2]
            let records = try (0..<names).map { number in
                ResourceRecord(
                    name: try DomainName(name(number)), ttl: 3600,
                    data: .a(IPv4Address(bits: IPv4Address(198, 18, 0, 0).bits + UInt32(number))))
            }
            configuration = ResolverConfiguration(
                store: RecordStore(records, zones: [try DomainName("bench.test")], negativeTTL: 3600),
                networks: [ServedNetwork(policy: .plain)])
        case ("forwards", let ports) where ports.count == 2:
            configuration = ResolverConfiguration(
                store: RecordStore([], zones: []),
                networks: [ServedNetwork(policy: SynthesisPolicy(prefix: try Pref64(prefix)))])
            configuration.forwarders = ForwarderConfiguration(
                servers: [Endpoint(.ipv4(IPv4Address(127, 0, 0, 1)), port: ports[1])])
        default: throw BenchFailure("\(flag) names PORT FILE, or \(flag) forwards PORT UPSTREAM")
        }
        let port = words.dropFirst().first.flatMap { UInt16($0) } ?? 0
        let service = try DNSService(
            configuration, listeningOn: [SocketAddress(IPv4Address(127, 0, 0, 1), port: port)])
        try service.start()
        while true {
            usleep(Upstream.pause)
            if let count { write(service.counters, to: count) }
        }
    }
}
