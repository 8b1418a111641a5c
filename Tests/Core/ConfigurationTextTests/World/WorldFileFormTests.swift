// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import DNSWire
import Suites
import Testing
import Wire

@Suite("Forms of a world file") struct WorldFileFormTests {
    @Test(arguments: [
        ("http", ["http 80"]),
        ("[http, https]", ["http 80", "https 443"]),
        ("{ http: 8080 }", ["http 8080"]),
        ("{ http: [80, 8080], tcp-echo: 7777 }", ["http 80", "http 8080", "tcp-echo 7777"]),
        ("[udp-echo, http: 8080]", ["http 8080", "udp-echo 7"]),
        ("{ run: { port: 22, command: [/usr/sbin/sshd, -i] } }", ["run 22"]),
        (
            "[http, run: { port: 22, command: [sshd] }, run: { port: 23, command: [sshd] }]",
            ["http 80", "run 22", "run 23"]
        ),
        ("", []),
    ])
    func `services have several forms`(text: String, expected: [String]) throws {
        let world = try world("version: 1\nhosts: { a.test: { addresses: 198.51.100.1, services: \(text) } }")
        #expect(world.services.map { "\($0.kind.word) \($0.port)" }.sorted() == expected)
    }

    @Test func `a server's ways with TLS and HTTP`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test:
                addresses: 198.51.100.1
                services:
                  - http: [8080, { unknown-host: 404 }]
                  - https: { without-sni: cdn.test, certificate: [a.test, 198.51.100.1], unknown-host: 421 }
              b.test: { addresses: 198.51.100.1, services: { https: { certificate: self-signed } } }
              c.test: { addresses: 198.51.100.2, services: { https: { port: 8443, without-sni: close } } }
            """)
        let (a, b) = (try DomainName("a.test"), try DomainName("b.test"))
        let web = world.services.map(\.web)
        #expect(world.services.map(\.port) == [80, 443, 8080, 8443])
        #expect(web.map(\.unknownHost) == [404, 421, nil, nil])
        #expect(try web.map(\.withoutServerName) == [nil, .certificate(of: DomainName("cdn.test")), nil, .close])
        #expect(web[1].certificates == [a: .naming([a], [IPAddress("198.51.100.1")!]), b: .selfSigned])
    }

    @Test func `a host answers with files and statuses of its own`() throws {
        let text = """
            version: 1
            hosts:
              a.test:
                addresses: 198.51.100.1
                services:
                  - http: { replies: { /list.json: lists/a.json, /generate_204: 204, /x: { file: x, status: 503, type: text/plain } } }
              b.test: { addresses: 198.51.100.1, services: { http: { replies: { /list.json: b.JSON } } } }
            """
        let world = try World(yaml: Array(text.utf8), name: "worlds/w.yaml") { path, _ in Array("of \(path)".utf8) }
        let (a, b) = (try DomainName("a.test"), try DomainName("b.test"))
        func file(_ path: String, _ type: String, status: Int = 200) -> WebReply {
            WebReply(status: status, contentType: type, body: Array("of worlds/\(path)".utf8))
        }
        #expect(
            world.services.map(\.web.replies) == [
                [
                    a: [
                        "/list.json": file("lists/a.json", "application/json"), "/generate_204": WebReply(status: 204),
                        "/x": file("x", "text/plain", status: 503),
                    ], b: ["/list.json": file("b.JSON", "application/json")],
                ]
            ])
    }

    @Test func `a program's command is a list of words`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test:
                addresses: 198.51.100.1
                services:
                  run:
                    port: 9418
                    command: [git, daemon, "--base-path=/srv/my repositories", ""]
            """)
        let command = ["git", "daemon", "--base-path=/srv/my repositories", ""]
        #expect(world.services.map(\.kind) == [.program(ServedProgram(command: command))])
    }

    @Test(arguments: [
        ("tls: true", ServedProgram.Manner.perConnection(tls: true)), ("lives: connection", .perConnection(tls: false)),
        ("udp: true", .perSocket), ("lives: run", .standing(.tcp, tls: false)),
        ("udp: true, tls: true, lives: run", .standing(.udp, tls: true)),
    ]) func `what a program gets`(keys: String, manner: ServedProgram.Manner) throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1, services: { run: { port: 443, command: [a], \(keys) } } }
            """)
        #expect(world.services.map(\.kind) == [.program(ServedProgram(command: ["a"], manner: manner))])
    }

    @Test func `how a program is prepared, is ready, and ends`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test:
                addresses: 198.51.100.1
                services:
                  run:
                    port: 5432
                    lives: run
                    prepare: [initdb, -D, "{state}"]
                    command: [postgres, -D, "{state}", -h, "{address}"]
                    state: run
                    ready: { tcp: 5432, http: 5432/x, log: ready to accept, file: "{state}/up", within: 90 }
                    grace: 1.5
            """)
        let program = ServedProgram(
            command: ["postgres", "-D", "{state}", "-h", "{address}"], manner: .standing(.tcp, tls: false),
            prepare: ["initdb", "-D", "{state}"], stateLife: .run,
            ready: [
                .tcp(5432), .page(PageRequest(.http, 5432, path: "/x")), .log("ready to accept"), .file("{state}/up"),
            ],
            within: .seconds(90), grace: .milliseconds(1500))
        #expect(world.services.map(\.kind) == [.program(program)])
        #expect(program.hasState && program.isReadyByLog)
        #expect(world.programStartLimit == .seconds(90) && world.programGrace == .milliseconds(1500))
        #expect(!ServedProgram(command: ["a", "{port}"]).hasState)
        #expect(ServedProgram(command: ["a"], ready: [.file("{state}/up")]).hasState)
    }

    @Test func `TCP and UDP of one port are two services`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test:
                addresses: 198.51.100.1
                services:
                  - https
                  - run: { port: 443, udp: true, command: [a] }
            """)
        #expect(world.services.count == 2)
    }

    @Test func `an IPv6 address needs no quotes`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test: { addresses: [2e00:2:0:cafe::1, 2e00:2:0:cafe::2] }
              b.test: { addresses: 2e00:2:0:cafe::3 }
            """)
        #expect(world.ipv6Addresses.map(\.description) == ["2e00:2:0:cafe::1", "2e00:2:0:cafe::2", "2e00:2:0:cafe::3"])
    }

    @Test func `a resolver is asked over TLS and over HTTPS`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1, services: [dot, https: { dns: true }] }
              b.test: { addresses: 198.51.100.1, services: [https] }
              c.test: { addresses: 198.51.100.2, services: { dot: { port: 8853, certificate: expired } } }
            """)
        #expect(world.services.map(\.kind) == [.https, .dot, .dot])
        #expect(world.services.map(\.port) == [443, 853, 8853])
        #expect(world.services.map(\.web.answersDNS) == [true, false, false])
        #expect(try world.services[2].web.certificates == [DomainName("c.test"): .expired])
    }

    @Test func `the nearest ttl counts`() throws {
        let world = try world(
            """
            version: 1
            ttl: 60
            hosts:
              a.test: { addresses: [198.51.100.1] }
              b.test: { addresses: [198.51.100.2], ttl: 0 }
            records:
              - c.test CNAME a.test
              - d.test 5 CNAME a.test
            """)
        #expect(world.records.map(\.ttl) == [60, 0, 60, 5])
    }

    @Test func `without a ttl records live five minutes`() throws {
        let world = try world("version: 1\nrecords: [c.test CNAME a.test]")
        #expect(world.records.map(\.ttl) == [300])
    }

    @Test func `a world may be empty`() throws {
        let world = try world("version: 1\nhosts:\nrecords:\n")
        #expect(world.hosts.isEmpty && world.records.isEmpty && world.services.isEmpty)
    }

    @Test func `TCP and UDP share a port number`() throws {
        let world = try world(
            "version: 1\nhosts: { a.test: { addresses: 198.51.100.1, services: [tcp-echo, udp-echo] } }")
        #expect(world.services.map(\.port) == [7, 7])
    }

    @Test func `a host can be a wildcard and a name can be quoted`() throws {
        let world = try world("version: 1\nhosts: { \"*.a.test\": { addresses: 198.51.100.1 } }")
        #expect(world.hosts[0].name.isWildcard)
    }
}
