// SPDX-License-Identifier: Apache-2.0
import Topology
import NAT64
import Wire

/// The maps within the `nat64` section.
extension NAT64SectionReader {
    mutating func readTimeOuts(_ node: YAMLNode) {
        func key(_ name: String, _ path: WritableKeyPath<TranslatorConfiguration, Duration>) -> Key {
            Key(name) { $0.set(path, $0.duration($1, name)) }
        }
        section(
            node, "time-outs", example: "{ udp: 5m, tcp-transitory: 4m }",
            [
                key("udp", \.nat64.lifetimes.udp), key("icmp-query", \.nat64.lifetimes.icmpQuery),
                key("tcp-established", \.nat64.lifetimes.tcpEstablished),
                key("tcp-transitory", \.nat64.lifetimes.tcpTransitory),
                key("tcp-incoming-syn", \.nat64.lifetimes.tcpIncomingSYN),
                key("fragments", \.nat64.lifetimes.fragments), key("port-hold-off", \.nat64.lifetimes.portHoldOff),
                Key("allow-short") { $0.set(\.nat64.allowsShortLifetimes, $0.flag($1, "allow-short")) },
            ])
    }

    mutating func readLimits(_ node: YAMLNode) {
        func key(_ name: String, _ path: WritableKeyPath<TranslatorConfiguration, Int>, maximum: Int) -> Key {
            Key(name) { $0.set(path, $0.number($1, name, in: 0...maximum)) }
        }
        func quota(_ name: String, _ path: WritableKeyPath<TranslatorConfiguration, Int?>) -> Key {
            Key(name) {
                if $1.isText("none") {
                    $0.configuration[keyPath: path] = nil
                } else if let maximum = $0.number($1, name, in: 0...Self.maximumEntries, or: "none") {
                    $0.configuration[keyPath: path] = maximum
                }
            }
        }
        section(
            node, "limits", example: "{ sessions: 65536, sessions-per-host: 1024 }",
            [
                key("sessions", \.nat64.limits.sessions, maximum: Self.maximumEntries),
                key("bindings", \.nat64.limits.bindings, maximum: Self.maximumEntries),
                quota("bindings-per-host", \.nat64.limits.bindingsPerHost),
                quota("sessions-per-host", \.nat64.limits.sessionsPerHost),
                key("stored-syns", \.nat64.limits.storedSYNs, maximum: 8_192),
                key("fragmented-datagrams", \.nat64.limits.fragmentedDatagrams, maximum: Self.maximumEntries),
                key("fragment-octets", \.nat64.limits.fragmentOctets, maximum: Self.maximumEntries),
            ])
    }

    private static let maximumEntries = 1 << 30

    mutating func readErrors(_ node: YAMLNode) {
        section(
            node, "errors", example: "{ enabled: true, per-second: 1000 }",
            [
                Key("enabled") { $0.set(\.nat64.errors.isEnabled, $0.flag($1, "enabled")) },
                Key("ipv6-source") { $0.set(\.nat64.errors.ipv6Source, $0.ipv6Address($1, "ipv6-source")) },
                Key("ipv4-source") { $0.set(\.nat64.errors.ipv4Source, $0.ipv4Address($1, "ipv4-source")) },
                Key("per-second") { $0.set(\.nat64.errors.perSecond, $0.number($1, "per-second", in: 0...1_000_000)) },
                Key("burst") { $0.set(\.nat64.errors.burst, $0.number($1, "burst", in: 0...1_000_000)) },
                Key("rfc6791v6-prefix") {
                    $0.set(\.nat64.errors.ipv6Prefix, $0.ipv6Prefix($1, "rfc6791v6-prefix"))
                },
                Key("source-icmpv6-errors-better", only: .stateful) {
                    $0.set(\.nat64.errors.keepsRouterAddresses, $0.flag($1, "source-icmpv6-errors-better"))
                },
                Key("ipv4-pool", only: .stateless) { reader, node in
                    reader.configuration.errorSources = reader.items(node).compactMap {
                        reader.ipv4Address($0, "ipv4-pool")
                    }
                },
            ])
    }

    mutating func readFaults(_ node: YAMLNode) {
        section(
            node, "faults", example: "{ ipv4-black-hole: 1400 }",
            LinkFault.Kind.allCases.map { kind in
                Key(kind.rawValue) {
                    if let maximum = $0.number($1, kind.rawValue, in: LinkFault.sizes) {
                        $0.configuration.faults[kind] = maximum
                    }
                }
            })
    }
}
