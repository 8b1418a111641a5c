// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The hints of a question, and the numbers that Linux gives their flags.
struct Hints: Hashable {
    var family: Int32 = AF_UNSPEC
    var socktype: Int32 = 0
    var `protocol`: Int32 = 0
    var flags: Int32 = 0

    static let stream: Int32 = 1
    static let passive: Int32 = 0x1
    static let canonicalName: Int32 = 0x2
    static let numericHost: Int32 = 0x4
    static let v4Mapped: Int32 = 0x8
    static let all: Int32 = 0x10
    static let addressConfiguration: Int32 = 0x20
    static let numericService: Int32 = 0x400
}

struct Question: Hashable {
    var node: String?
    var service: String?
    var hints: Hints?

    /// As the `ask` helper reads it.
    var line: String {
        let hints = hints.map { "\($0.family),\($0.socktype),\($0.protocol),\($0.flags)" }
        return [node, service, hints].map { $0 ?? #"\N"# }.joined(separator: "\t")
    }
}

/// Every case that the table test tries.
enum Questions {
    static let literals = [
        "192.0.2.1", "198.51.100.10", "0.0.0.0", "0.1.2.3", "127.0.0.1", "169.254.1.1", "192.0.0.7", "192.0.0.8",
        "192.0.0.170", "192.88.99.1", "100.64.0.1", "10.1.2.3", "172.16.1.1", "172.32.1.1", "192.168.1.1", "198.18.0.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.254", "255.255.255.255",
    ]
    static let numbers = [
        "127.1", "0x7f.1", "017700000001", "1.2.3", "256.1.1.1", "1.2.3.4.", " 1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4",
        "1.2.3.4%lo", "2001:db8::1", "[1.2.3.4]", "1.2.3.4 ",
    ]

    /// The names of `hosts`, and one that is not there.
    static let names = [
        "localhost", "four.test", "fours.test", "private.test", "excluded.test", "mixed.test", "dual.test", "none.test",
    ]
    static let hosts = """
        127.0.0.1 localhost
        ::1 localhost
        198.51.100.10 four.test alias.test
        198.51.100.10 fours.test
        203.0.113.5 fours.test
        10.0.0.1 private.test
        169.254.9.9 excluded.test
        127.0.0.2 mixed.test
        198.51.100.11 mixed.test
        198.51.100.20 dual.test
        2e00:2:0:cafe::20 dual.test

        """

    static let nodes: [String?] = literals + numbers + names + [nil, ""]
    static let services: [String?] = [nil, "", "80", "http", "nosuch"]
    static let families = [AF_UNSPEC, AF_INET, AF_INET6]
    static let flags: [Int32] = [
        0, Hints.addressConfiguration, Hints.canonicalName, Hints.passive, Hints.numericService, Hints.numericHost,
        Hints.v4Mapped, Hints.all, Hints.all | Hints.v4Mapped,
    ]
    static let socktypes: [Int32] = [0, 1, 2, 3]  // any, stream, datagram, raw

    /// Nodes × services × (no hints, or families × flags × socket types).
    static let table: [Question] = nodes.flatMap { node in
        services.flatMap { service in
            [Question(node: node, service: service, hints: nil)]
                + families.flatMap { family in
                    flags.flatMap { flags in
                        socktypes.map { socktype in
                            let hints = Hints(family: family, socktype: socktype, flags: flags)
                            return Question(node: node, service: service, hints: hints)
                        }
                    }
                }
        }
    }

    /// Questions that the table omits: protocols, pairs of flags, odd services, families and flags that do not exist.
    static let corners: [Question] =
        ["192.0.2.1", "four.test"].flatMap { node in
            let protocols: [Int32] = [0, 1, 6, 17, 58, 132]
            let protocolQuestions = [AF_UNSPEC, AF_INET6].flatMap { family in
                protocols.flatMap { `protocol` in
                    socktypes.flatMap { socktype in
                        [0, Hints.canonicalName].flatMap { flags in
                            ["80", "http", "domain", nil].map { service in
                                let hints = Hints(
                                    family: family, socktype: socktype, protocol: `protocol`, flags: flags)
                                return Question(node: node, service: service, hints: hints)
                            }
                        }
                    }
                }
            }
            let all: [Int32] = flags.filter { $0 & Hints.numericHost == 0 }
            let pairs = families.flatMap { family in
                all.flatMap { one in
                    all.map { Question(node: node, service: "80", hints: Hints(family: family, flags: one | $0)) }
                }
            }
            let odd = ["0", "65535", "65536", "-1", "+80", " 80", "80 ", "0x50", "99999999999999999999"].flatMap {
                [
                    Question(node: node, service: $0, hints: nil),
                    Question(node: node, service: $0, hints: Hints(flags: 2)),
                ]
            }
            let wrong = [Hints(family: 77), Hints(socktype: 9), Hints(flags: 0x4000_0000)].map {
                Question(node: node, service: "80", hints: $0)
            }
            return protocolQuestions + pairs + odd + wrong
        }
}
