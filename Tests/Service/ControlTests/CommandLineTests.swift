// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import Testing

/// `nat64sim status` and its kin, as people type them.
@Suite(.timeLimit(.minutes(5))) struct CommandLineTests {
    /// Runs a body with a daemon and the program that asks it.
    private func withProgram(_ body: (RunningAPI, CommandLineProgram) async throws -> Void) async throws {
        try await withAPI { api in try await body(api, CommandLineProgram(socket: api.socket)) }
    }

    @Test func `status is a page and an exit code`() async throws {
        try await withProgram { api, nat64sim in
            let ready = try await nat64sim("status")
            #expect(ready.status == 0)
            #expect(
                ready.output == """
                    nat64sim 0.1.0  ready, up 12 s
                    Pref64    64:ff9b::/96
                    uplink    host, as 192.0.2.64 to 192.0.2.95, 203.0.113.7, DNS from 198.51.100.53:53
                    clients   2 of 64: nat64 1, dual-stack 1
                    limits    of a client: 4096 sessions, 4096 bindings; in all: 65536 lines of DNS log, 100 faults

                    """)
            await api.daemon.become(DaemonReadiness(waitingFor: ["the DNS server"]))
            let starting = try await nat64sim("status")
            #expect(starting.status == 1)
            #expect(starting.errors == "nat64sim: the daemon is not ready: the DNS server does not answer\n")
        }
    }

    @Test func `waiting ends when the daemon is ready`() async throws {
        try await withProgram { api, nat64sim in
            await api.daemon.become(DaemonReadiness(waitingFor: ["dns"]))
            async let waiting = nat64sim("status", "--wait", "30", "--json")
            try await Task.sleep(for: .milliseconds(300))
            await api.daemon.become(DaemonReadiness())
            let said = try await waiting
            #expect(said.status == 0)
            let daemon = await api.daemon.status()
            #expect(try JSONText.decode(Status.self, from: Array(said.output.utf8)) == daemon)
        }
    }

    @Test func `waiting ends when the time is up`() async throws {
        try await withProgram { api, nat64sim in
            await api.daemon.become(DaemonReadiness(waitingFor: ["dns"]))
            let said = try await nat64sim("status", "--wait", "200ms")
            #expect(said.status == 1)
        }
        let none = try await CommandLineProgram(socket: "/nonexistent/socket")("status", "--wait", "200ms")
        #expect(none.status == 1)
        #expect(none.errors.hasPrefix("nat64sim: no daemon answers at /nonexistent/socket: No such file or directory"))
    }

    @Test func `a missing daemon is a clear error of every command`() async throws {
        let nat64sim = CommandLineProgram(socket: "/nonexistent/socket")
        for command in ["clients", "sessions", "bindings", "dns-log", "counters", "faults", "prefix", "events"] {
            let said = try await nat64sim(command)
            #expect(said.status == 1)
            #expect(said.output.isEmpty)
            #expect(said.errors.contains("start one with 'nat64sim serve'"))
        }
        let elsewhere = try await nat64sim("status", "--socket", "/nonexistent/other")
        #expect(elsewhere.errors.contains("/nonexistent/other"))
        #expect(try await nat64sim("sessions", "--limit", "0").status == 2)
    }

    @Test func `clients of a gateway are a table with where they go`() async throws {
        try await withProgram { _, nat64sim in
            let said = try await nat64sim("clients")
            let lines = said.output.split(separator: "\n")
            #expect(lines[0].split(separator: " ").prefix(3) == ["CLIENT", "SEEN", "SENT"])
            #expect(lines[1].hasPrefix("fd00:10:244::5  "))
            #expect(
                lines.dropFirst(2) == [
                    "    by IPv4: api.vendor.example (tcp 443)", "    with IPv6 addresses of their own: dual.example",
                    "    refused: 2 × no-route (no way)",
                ])
            #expect(said.errors == "of 7 more nothing is known any more, as others came\n")
        }
    }

    @Test func `findings have the client's name, and advice once`() async throws {
        try await withProgram { api, nat64sim in
            let names = URL(filePath: api.socket).deletingLastPathComponent().appending(path: "names")
            try "# pods\nfd00:10:244::5 cart\n10.0.0.1 cart\n<none> new\n".write(
                to: names, atomically: true, encoding: .utf8)
            let said = try await nat64sim("findings", "--names", names.path)
            #expect(said.output == "error V6C-002 fd00:10:244::5 (cart) asks for A: So.\n\nV6C-002: Do not.\n")
            try "nonsense\n".write(to: names, atomically: true, encoding: .utf8)
            let wrong = try await nat64sim("findings", "--names", names.path)
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("names:1: \"nonsense\" is no line of an IPv6 or Ethernet address and a name"))
            await api.daemon.becomeNoGateway()
            let none = try await nat64sim("findings")
            #expect(none.status == 1 && none.errors.contains("is no gateway"))
        }
    }

    @Test func `clients are a table`() async throws {
        try await withProgram { api, nat64sim in
            await api.daemon.becomeNoGateway()
            let lines = try await nat64sim("clients").output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].split(separator: " ").prefix(5) == ["ID", "NETWORK", "UID", "PID", "ATTACHED"])
            #expect(lines[1].hasPrefix("1   nat64       1000  4711  "))
            #expect(lines[1].hasSuffix("ago  12 in 3.46 kB  10 in 78.9 kB         3      1  2e00:2:0:1::2"))
            #expect(lines[2].hasPrefix("2   dual-stack  1000  4711  "))
        }
    }

    @Test func `sessions and bindings are tables`() async throws {
        try await withProgram { _, nat64sim in
            let one = try await nat64sim("sessions", "--client", "2")
            let rows = one.output.split(separator: "\n").map { $0.split(separator: #/  +/#).map { String($0) } }
            #expect(
                rows == [
                    [
                        "CLIENT", "PROTO", "STATE", "EXPIRES", "IPV6 SOURCE", "IPV6 DESTINATION", "IPV4 SOURCE",
                        "IPV4 DESTINATION", "SENT", "RECEIVED",
                    ],
                    [
                        "2", "tcp", "established", "in 1 h 59 min", "[2e00:2:0:1::2]:40000",
                        "[64:ff9b::c633:640a]:80", "192.0.2.1:40000", "198.51.100.10:80", "3 in 180 B", "2 in 1.58 kB",
                    ],
                    [
                        "2", "tcp", "v4-init", "in 5 s", "-", "[64:ff9b::c633:640b]:9", "192.0.2.1:40001",
                        "198.51.100.11:9", "0 in 0 B", "1 in 60 B",
                    ],
                ])
            #expect(one.errors.isEmpty)
            let all = try await nat64sim("sessions", "--limit", "3")
            #expect(all.output.split(separator: "\n").count == 4)
            #expect(all.errors == "3 of 4 are shown; --limit takes up to 10000\n")
            let bindings = try await nat64sim("bindings")
            #expect(
                bindings.output == """
                    CLIENT  PROTO  IPV6                   IPV4             KIND     SESSIONS
                    1       tcp    [2e00:2:0:1::2]:40000  192.0.2.1:40000  dynamic         1
                    2       tcp    [2e00:2:0:1::2]:40000  192.0.2.1:40000  dynamic         1

                    """)
            let forgotten = try await nat64sim("sessions", "forget", "--client", "2")
            #expect(forgotten.output == "CLIENT  FORGOTTEN\n2               2\n")
            #expect(try await nat64sim("sessions", "forget").output.split(separator: "\n").count == 3)
            #expect(try await nat64sim("sessions", "forget", "--client", "9").status == 1)
            let unknown = try await nat64sim("sessions", "--client", "9")
            #expect(unknown.status == 1)
            #expect(unknown.errors == "nat64sim: there is no client 9\n")
        }
    }

    @Test func `the log is lines and can be followed`() async throws {
        try await withProgram { _, nat64sim in
            let time = JSONText.time(FakeDaemon.start)
            let last = try await nat64sim("dns-log", "--limit", "2", "--client", "2")
            #expect(last.output == "\(time)  client 2  line 999\n\(time)  client 2  line 1000\n")
            let followed = try await nat64sim("dns-log", "--follow", "--json", "--limit", "1") { $0.contains("\n") }
            let line = try JSONText.decode(DNSLogLine.self, from: Array(followed.output.utf8))
            #expect(line.number == 1000)
        }
    }

    @Test func `counters are a table without zeros unless asked for`() async throws {
        try await withProgram { _, nat64sim in
            let counters = try await nat64sim("counters").output
            #expect(
                counters == """
                    COUNTER          OF        VALUE  WHAT IT COUNTS
                    sessions_opened  client=1      3  Sessions that were opened.

                    """)
            #expect(try await nat64sim("counters", "--all").output.contains("client=2      0"))
            #expect(try await nat64sim("counters", "--json").output.contains("\"value\" : 0"))
        }
    }

    @Test func `faults are switched on and off`() async throws {
        try await withProgram { api, nat64sim in
            let added = try await nat64sim("faults", "add", "*.shop.test", "AAAA", "any", "1-2", "rcode", "SERVFAIL")
            #expect(added.output == "ID  FAULT\n2   *.shop.test AAAA any 1-2 rcode SERVFAIL\n")
            #expect(try await nat64sim("faults").output.split(separator: "\n").count == 3)
            #expect(try await nat64sim("faults", "remove", "1").status == 0)
            #expect(await api.daemon.faults().items.map(\.id) == [2])
            let bad = try await nat64sim("faults", "add", "drop")
            #expect(bad.status == 1)
            #expect(bad.errors == "nat64sim: a fault is NAME TYPE TRANSPORT NUMBERS EFFECT\n")
            #expect(try await nat64sim("faults", "clear").status == 0)
            #expect(await api.daemon.faults().items.isEmpty)
        }
    }

    @Test func `the prefix is shown and changed`() async throws {
        try await withProgram { api, nat64sim in
            #expect(try await nat64sim("prefix").output == "64:ff9b::/96\n")
            #expect(try await nat64sim("prefix", "2001:db8::/96").output == "2001:db8::/96\n")
            #expect(await api.daemon.prefix().pref64 == "2001:db8::/96")
            let conflict = try await nat64sim("prefix", "2001:db8:1::/96")
            #expect(conflict.status == 1)
            #expect(conflict.errors == "nat64sim: a route leads there\n")
        }
    }

    @Test func `events are lines that do nothing to the terminal`() async throws {
        try await withProgram { api, nat64sim in
            let hub = api.daemon.hub
            let publishing = Task {
                while !Task.isCancelled {
                    hub.publish(Event(.dropped, time: FakeDaemon.start, client: 1, text: "\u{1b}[31mred\n"))
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let said = try await nat64sim("events") { $0.contains("\n") }
            publishing.cancel()
            let line = "\(JSONText.time(FakeDaemon.start))  dropped  client 1  \u{fffd}[31mred\u{fffd}"
            #expect(said.output.split(separator: "\n").first.map { String($0) } == line)
        }
    }
}
