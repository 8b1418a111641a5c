// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import Topology
import Testing

/// Every mistake that a world file can hold, with the line that its writer sees.
@Suite("Mistakes in a world file") struct WorldFileErrorTests {
    @Test(arguments: [
        ("", ["w.yaml:1:1: the file is empty: write version: 1, then hosts and records"]),
        ("# nothing", ["w.yaml:1:1: the file is empty: write version: 1, then hosts and records"]),
        ("hosts:", ["w.yaml:1:1: the version is missing: write version: 1 as the first line"]),
        ("version: 2", ["w.yaml:1:10: this program reads version: 1, not \"2\""]),
        ("version: [1]", ["w.yaml:1:10: this program reads version: 1, not a list"]),
        ("- version: 1", ["w.yaml:1:1: a world file must be a map, such as version: 1, not a list"]),
        ("just text", ["w.yaml:1:1: a world file must be a map, such as version: 1, not \"just text\""]),
    ])
    func `of the file as a whole`(yaml: String, expected: [String]) {
        #expect(complaints(yaml) == expected)
    }

    @Test(arguments: [
        ("host: {}", "1: unknown key \"host\" (did you mean \"hosts\"?)"),
        ("zone: {}", "1: unknown key \"zone\" (did you mean \"zones\"?)"),
        (
            "[a]: {}",
            "1: unknown key a list: a world file has version, ttl, hosts, records, zones, forwarders, dnssec and dns64"
        ),
        ("ttl: -1", "6: a ttl must be a number of seconds from 0 to 2147483647, not \"-1\""),
        ("ttl: 2147483648", "6: a ttl must be a number of seconds from 0 to 2147483647, not \"2147483648\""),
        (
            "ttl: 99999999999999999999",
            "6: a ttl must be a number of seconds from 0 to 2147483647, not \"99999999999999999999\""
        ),
        ("ttl:", "5: a ttl must be a number of seconds from 0 to 2147483647, not nothing"),
        (
            "hosts: [a.test]",
            "8: hosts must be a map, such as shop.test: { addresses: [198.51.100.10], services: [http] }, not a list"
        ),
    ])
    func `at the top`(line: String, expected: String) {
        #expect(complaints("version: 1\n\(line)\n") == ["w.yaml:2:\(expected)"])
    }

    @Test(arguments: [
        ("a..test: {}", "3: \"a..test\" cannot name a host: a label between two dots cannot be empty"),
        ("\".\": {}", "3: the root cannot be a host: write a name such as shop.test"),
        ("[a]: {}", "3: a host is named by text, such as shop.test, not by a list"),
        (
            "a.test: 198.51.100.1",
            "11: a host must be a map, such as { addresses: [198.51.100.10], services: [http] }, not \"198.51.100.1\""
        ),
        ("a.test:", "3: a.test. has no address: write addresses: [198.51.100.10]"),
        (
            "a.test: { services: [http] }",
            "3: a.test. has no address to offer its services at: write addresses: [198.51.100.10]"
        ),
        (
            "a.test: { addresses: [], services: [http] }",
            "24: a.test. has no address to offer its services at: write addresses: [198.51.100.10]"
        ),
        (
            "a.test: { adresses: 198.51.100.1, addresses: 198.51.100.1 }",
            "13: unknown key \"adresses\" (did you mean \"addresses\"?)"
        ),
        (
            "a.test: { addresses: 198.51.100.1, colour: red }",
            "38: unknown key \"colour\": a host has addresses, services, ttl, link and path"
        ),
        (
            "a.test: { addresses: [198.51.100.1, 198.51.100.1] }",
            "39: a.test. has the address 198.51.100.1 already: keep one"
        ),
        (
            "a.test: { addresses: [198.51.100.1], ttl: soon }",
            "45: a ttl must be a number of seconds from 0 to 2147483647, not \"soon\""
        ),
    ])
    func `in a host`(line: String, expected: String) {
        #expect(complaints("version: 1\nhosts:\n  \(line)\n") == ["w.yaml:3:\(expected)"])
    }

    @Test func `hosts whose names differ in case or by a dot are one`() {
        let yaml = """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1 }
              A.test.: { addresses: 198.51.100.2 }
            """
        #expect(complaints(yaml) == ["w.yaml:4:3: the host A.test. stands in line 3 already: join the two"])
    }

    @Test(arguments: [
        ("198.51.100.256", "an address is written like 198.51.100.10 or 2e00:2:0:cafe::10, not \"198.51.100.256\""),
        ("198.51.100.1/24", "an address is written like 198.51.100.10 or 2e00:2:0:cafe::10, not \"198.51.100.1/24\""),
        ("fe80::1%eth0", "an address is written like 198.51.100.10 or 2e00:2:0:cafe::10, not \"fe80::1%eth0\""),
        ("{}", "an address is written like 198.51.100.10 or 2e00:2:0:cafe::10, not a map"),
        ("0.1.2.3", "0.1.2.3 is an address of \"this network\" (RFC 1122 §3.2.1.3): \(AddressRules.recommendation)"),
        ("127.0.0.1", "127.0.0.1 is a loopback address (RFC 1122 §3.2.1.3): \(AddressRules.recommendation)"),
        ("169.254.169.1", "169.254.169.1 is a link-local address (RFC 3927): \(AddressRules.recommendation)"),
        ("224.0.0.1", "224.0.0.1 is a multicast address (RFC 5771): \(AddressRules.recommendation)"),
        ("255.255.255.255", "255.255.255.255 is a reserved address (RFC 1112 §4): \(AddressRules.recommendation)"),
        ("192.0.2.1", "192.0.2.1 is the simulator's own (192.0.2.0/24): \(AddressRules.recommendation)"),
        ("\"::\"", ":: is the unspecified address (RFC 4291 §2.5.2): \(AddressRules.recommendation)"),
        ("\"::1\"", "::1 is the loopback address (RFC 4291 §2.5.3): \(AddressRules.recommendation)"),
        ("fe80::1", "fe80::1 is a link-local address (RFC 4291 §2.5.6): \(AddressRules.recommendation)"),
        ("ff02::1", "ff02::1 is a multicast address (RFC 4291 §2.7): \(AddressRules.recommendation)"),
        (
            "\"::ffff:198.51.100.1\"",
            "::ffff:198.51.100.1 is an IPv4-mapped address (RFC 4291 §2.5.5.2): write the IPv4 address: "
                + AddressRules.recommendation
        ),
        (
            "64:ff9b::1",
            "64:ff9b::1 is the NAT64's, made from an IPv4 address: write the IPv4 address: \(AddressRules.recommendation)"
        ),
        (
            "2e00:2:0:1::1",
            "2e00:2:0:1::1 is the simulator's own (2e00:2:0:1::/64): \(AddressRules.recommendation)"
        ),
    ])
    func `in an address`(address: String, expected: String) {
        let yaml = "version: 1\nhosts:\n  a.test:\n    addresses:\n    - \(address)\n"
        #expect(complaints(yaml) == ["w.yaml:5:7: \(expected)"])
    }

    @Test(arguments: [
        ("htp", "15: \"htp\" is no service: did you mean http?"),
        (
            "[http, gopher]",
            "22: \"gopher\" is no service: there are http, https, dot, proxy, metadata, tcp-echo, udp-echo and run"
        ),
        ("http:8080", "15: a port is written http: 8080, with a blank behind the colon"),
        ("{ http: 0 }", "23: the port of http must be a number from 1 to 65535, not \"0\""),
        ("{ http: 65536 }", "23: the port of http must be a number from 1 to 65535, not \"65536\""),
        ("{ http: +80 }", "23: the port of http must be a number from 1 to 65535, not \"+80\""),
        ("{ http: }", "17: the port of http is missing: write http: 80"),
        ("[http, http]", "22: http at port 80 stands here already: keep one"),
        ("run", "15: a program needs a port and a command: write run: { port: 22, command: [/usr/sbin/sshd, -i] }"),
        (
            "{ run: { port: 22 } }",
            "22: the command of the program is missing: write run: { port: 22, command: [/usr/sbin/sshd, -i] }"
        ),
        (
            "{ run: { port: 22, command: sshd -i } }",
            "43: a command is a list, the program first, such as [/usr/sbin/sshd, -i], not \"sshd -i\""
        ),
        (
            "{ run: { port: 22, command: [] } }",
            "43: a command is a list, the program first, such as [/usr/sbin/sshd, -i], not an empty list"
        ),
        (
            "{ run: { port: 0, command: [a] } }",
            "30: the port of the program must be a number from 1 to 65535, not \"0\""
        ),
        (
            "{ run: { port: 22, command: [a], lives: always } }",
            "55: a program lives for a connection or for the run: write lives: connection or lives: run, not \"always\""
        ),
        ("{ run: { port: 22, command: [a], udp: 17 } }", "53: udp must be true or false, not \"17\""),
        (
            "{ run: { port: 22, command: [a], udp: true, tls: true } }",
            "22: over UDP a program speaks TLS (QUIC, DTLS) itself: write lives: run, and it is given a certificate"
        ),
        (
            "{ run: { port: 22, command: [a, \"{adress}\"] } }",
            "47: {adress} is no placeholder (did you mean {address}?); for these characters themselves write {{adress}}"
        ),
        (
            "{ run: { port: 22, command: [a], prepare: [b, \"x{print}\"] } }",
            "61: {print} is no placeholder (there are {address}, {port}, {certificate}, {key} and {state}); for these characters themselves write {{print}}"
        ),
        (
            "{ run: { port: 22, command: [a, \"{key}\"] } }",
            "47: {key} is there for the command of a program with tls: true and lives: run"
        ),
        (
            "{ run: { port: 22, lives: run, tls: true, command: [a, \"{key}\"], prepare: [a, \"{certificate}\"] } }",
            "93: {certificate} is there for the command of a program with tls: true and lives: run"
        ),
        (
            "{ run: { port: 22, command: [a], prepare: b } }",
            "57: prepare is a list, the program first, such as [/usr/sbin/sshd, -i], not \"b\""
        ),
        (
            "{ run: { port: 22, command: [a], state: day } }",
            "55: state must be one of check and run, not \"day\""
        ),
        (
            "{ run: { port: 22, command: [a], grace: soon } }",
            "55: grace must be a time such as 90 (seconds), 1.5, 250ms, 5m or 2h, not \"soon\""
        ),
        ("{ run: { port: 22, command: [a], grace: 1h } }", "55: grace must be at most 10 minutes (10m)"),
        (
            "{ run: { port: 22, command: [a], ready: { tcp: 22 } } }",
            "55: a program that starts with a connection or a datagram is asked for nothing before: take ready out, or write lives: run"
        ),
        (
            "{ run: { port: 22, lives: run, command: [a], ready: {} } }",
            "67: ready must say by what it is seen, such as { tcp: 8080 }"
        ),
        (
            "{ run: { port: 22, lives: run, command: [a], ready: { file: \"{stat}/x\" } } }",
            "67: {stat} is no placeholder (did you mean {state}?); for these characters themselves write {{stat}}"
        ),
        ("{ run: { port: 22, command: [a, [b]] } }", "47: a word of a command is text, not a list"),
        ("{ run: { port: 22, comand: [a] } }", "34: unknown key \"comand\" (did you mean \"command\"?)"),
        ("[[http]]", "16: services are one list: write services: [http, https]"),
        (
            "{ [http]: 80 }",
            "17: a service must be one of http, https, dot, proxy, metadata, tcp-echo, udp-echo and run, not a list"
        ),
        ("{ http: { port: 0 } }", "31: the port of http must be a number from 1 to 65535, not \"0\""),
        (
            "{ http: { without-sni: close } }",
            "25: unknown key \"without-sni\": http has port, unknown-host, replies and httpdns"
        ),
        (
            "{ http: { replies: { list.json: a } } }",
            "36: a path of replies begins with / and has neither a query nor blanks, such as /list.json, not \"list.json\""
        ),
        (
            "{ http: { replies: { /a: 100 } } }",
            "40: the status of a reply must be a number from 200 to 599, not \"100\""
        ),
        (
            "{ http: { replies: { /a: [b] } } }",
            "40: a reply is a file, a status, or both: { file: sorry.html, status: 503 }, not a list"
        ),
        ("{ http: { replies: { /a: { file: b, type: json } } } }", "48: b: no other file can be read here"),
        (
            "{ http: { replies: { /a: { type: json } } } }",
            "48: the type of a reply is a media type such as application/json, not \"json\""
        ),
        (
            "{ http: { replies: { /a: { headers: { content-length: 3 } } } } }",
            "53: headers has names with a text each, such as Location: http://shop.test/; content-type is type, and what is about the connection or the length is the server's"
        ),
        (
            "{ http: { replies: { /a: { headers: { Location: [a] } } } } }",
            "53: headers has names with a text each, such as Location: http://shop.test/; content-type is type, and what is about the connection or the length is the server's"
        ),
        ("{ http: { dns: true } }", "25: unknown key \"dns\": http has port, unknown-host, replies and httpdns"),
        ("{ https: { dns: 1 } }", "31: dns must be true or false, not \"1\""),
        (
            "{ dot: { replies: { /a: 200 } } }",
            "24: unknown key \"replies\": dot has port, certificate and without-sni"
        ),
        ("{ https: { without_sni: close } }", "26: unknown key \"without_sni\" (did you mean \"without-sni\"?)"),
        (
            "{ https: { without-sni: 198.51.100.1 } }",
            "39: without-sni must be close, or the name whose certificate is shown, such as shop.test, not \"198.51.100.1\""
        ),
        ("{ https: { unknown-host: 200 } }", "40: unknown-host must be a number from 400 to 499, not \"200\""),
        (
            "{ https: { certificate: exspired } }",
            "39: a certificate is the list of its names, such as [shop.test], or one of expired, self-signed and wrong-name, "
                + "not \"exspired\""
        ),
        (
            "{ https: { certificate: [[a]] } }",
            "40: a certificate has names such as shop.test, and addresses such as 198.51.100.10, not a list"
        ),
        ("{ tcp-echo: { port: 7 } }", "27: the port of tcp-echo must be a number from 1 to 65535, not a map"),
        ("{ http: 443, https: 443 }", "35: https cannot have port 443 of 198.51.100.1: http of a.test. is there"),
    ])
    func `in a service`(services: String, expected: String) {
        let yaml = "version: 1\nhosts:\n  a.test:\n    addresses: 198.51.100.1\n    services: \(services)\n"
        #expect(complaints(yaml).last == "w.yaml:5:\(expected)")
    }

    @Test func `hosts that share a server agree on what it does`() {
        let yaml = """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1, services: { https: { without-sni: close } } }
              b.test: { addresses: 198.51.100.1, services: { https: { certificate: expired } } }
              c.test: { addresses: 198.51.100.1, services: { https: { without-sni: b.test } } }
            """
        #expect(
            complaints(yaml) == [
                "w.yaml:5:57: without-sni is another one of https of a.test., which has port 443 of 198.51.100.1 too"
            ])
    }

    @Test func `services of two hosts cannot contend for a port`() {
        let yaml = """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1, services: { http: 80 } }
              b.test: { addresses: 198.51.100.1, services: { tcp-echo: 80 } }
            """
        #expect(
            complaints(yaml) == ["w.yaml:4:60: tcp-echo cannot have port 80 of 198.51.100.1: http of a.test. is there"])
    }

    @Test(arguments: [
        ("b.test FOO bar", "5: \"FOO\" is no record type, class or TTL"),
        ("{ b.test: 1 }", "5: a record is one line, such as - www.shop.test CNAME shop.test, not a map"),
        ("b.test CH TXT text", "5: a record of class CH is never asked for here: write IN"),
        ("b.test A 198.51.100.300", "5: \"198.51.100.300\" does not belong into the A record"),
        ("a.test CNAME b.test", "5: a.test. cannot be an alias: it has other data in line 3"),
        ("a.test A 198.51.100.1", "5: a.test. has this A record in line 3: keep one"),
    ])
    func `in a record`(record: String, expected: String) {
        let yaml = "version: 1\nhosts:\n  a.test: { addresses: 198.51.100.1 }\nrecords:\n  - \(record)\n"
        let all = complaints(yaml)
        #expect(all.count == 1)
        #expect(all[0].hasPrefix("w.yaml:5:\(expected)"))
    }

    @Test func `an alias can have no other data, whichever stands first`() {
        let yaml = """
            version: 1
            records:
              - b.test CNAME a.test
              - b.test MX 10 a.test
              - c.test CNAME a.test
              - C.test CNAME b.test
            """
        #expect(
            complaints(yaml) == [
                "w.yaml:4:5: b.test. is an alias in line 3 and can have no other data",
                "w.yaml:6:5: C.test. is an alias in line 5 and can have no other data",
            ])
    }

    @Test func `all mistakes are told at once, in the order of the file`() {
        let yaml = """
            version: 1
            records:
              - b.test A nowhere
            hosts:
              a.test: { addresses: [127.0.0.1], services: [smtp] }
            tll: 5
            """
        #expect(complaints(yaml).map { $0.prefix(11) } == ["w.yaml:3:5:", "w.yaml:5:25", "w.yaml:5:48", "w.yaml:6:1:"])
    }

    @Test func `no more than a hundred mistakes are told`() {
        let records = (0..<500).map { "  - n\($0).test A nowhere\n" }.joined()
        #expect(complaints("version: 1\nrecords:\n\(records)").count == 100)
    }

    @Test func `a world cannot have more services than a process can listen on`() {
        let addresses = (1...200).map { "198.51.100.\($0)" }.joined(separator: ", ")
        let ports = (1...200).map(String.init).joined(separator: ", ")
        let yaml = "version: 1\nhosts:\n  a.test:\n    addresses: [\(addresses)]\n    services: { http: [\(ports)] }\n"
        let all = complaints(yaml)
        #expect(all.first?.hasSuffix("a world has at most 1024 services") == true)
    }
}
