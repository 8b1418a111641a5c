// SPDX-License-Identifier: Apache-2.0
import Evidence
import Executables
import Sandbox
import Testing

@testable import CheckRunner

@Suite struct LookupLogTests {
    private func line(_ node: String, pid: Int = 7, lost: Int = 0) -> [UInt8] {
        Array("ipv6synth/1 call=inet_addr pid=\(pid) tid=\(pid) node=\(node) result=1 count=1 lost=\(lost)".utf8)
    }

    @Test func `a question for the machine's addresses is no look-up`() {
        var log = LookupLog()
        #expect(!log.listsAddresses)
        log.take(Array("ipv6synth/1 call=getifaddrs pid=7 tid=7 program=node result=0 count=0 lost=0".utf8))
        #expect(log.listsAddresses && log.lookups.isEmpty && log.lost == 0)
    }

    @Test func `the same call is kept once whichever process makes it`() {
        var log = LookupLog()
        for pid in [7, 8, 9] { log.take(line("192.0.2.1", pid: pid)) }
        log.take(line("192.0.2.2"))
        #expect(log.lookups.map(\.node) == ["192.0.2.1", "192.0.2.2"])
        #expect(log.lookups.map(\.count) == [3, 1])
        #expect(log.lookups[0].process == 7)
    }

    /// The library tells them of the first such calls of a process.
    @Test func `it is kept once for each of its lines, and those without one are of the first`() {
        var log = LookupLog()
        let told = { (line: Int) in
            self.line("192.0.2.1 frames=/usr/lib/python3.11/socket.py%092%09connect%0aapp.py%09\(line)%09ask%0a")
        }
        for datagram in [line("192.0.2.1"), told(6), told(7), line("192.0.2.1")] { log.take(datagram) }
        #expect(log.lookups.map(\.count) == [3, 1])
        #expect(log.lookups.map(\.site) == [6, 7].map { CallSite(function: "ask", file: "app.py", line: $0) })
    }

    @Test func `what is no record is counted as lost`() {
        var log = LookupLog()
        for octets in [[], Array("hello".utf8), [0xff, 0x00], Array("ipv6synth/1 call=inet_addr".utf8)] {
            log.take(octets)
        }
        #expect(log.lookups.isEmpty)
        #expect(log.lost == 4)
    }

    private func start(_ path: String, keepsLibrary: Bool = true, cut: Bool = false) -> [UInt8] {
        let result = keepsLibrary ? 1 : 0
        return Array(
            "ipv6synth/1 call=execve pid=7 tid=7 node=\(path) result=\(result) count=0\(cut ? " cut=1" : "") lost=0"
                .utf8)
    }

    @Test func `a program that was started is looked at once and is no lookup`() {
        var log = LookupLog()
        for datagram in [
            start("/bin/a"), start("/bin/a"), start("/bin/a", keepsLibrary: false), start("/bin/b", cut: true),
        ] {
            log.take(datagram)
        }
        let started = log.takeUninspected()
        #expect(started.map(\.program) == ["/bin/a", "/bin/a"])
        #expect(started.map(\.keepsLibrary) == [true, false])
        #expect(log.takeUninspected().isEmpty)
        #expect(log.lookups.isEmpty && log.lost == 0)
    }

    @Test(
        arguments: [
            (ExecutableKind.dynamic(.glibc, go: nil), true, nil),
            (.dynamic(.musl, go: nil), false, .clearedEnvironment),
            (.isStatic(go: nil), true, .staticallyLinked), (.isStatic(go: nil), false, .staticallyLinked),
            (.dynamic(.glibc, go: GoBuildInformation([])), true, .goProgram), (.otherMachine, true, .otherMachine),
            (.otherLoader("/ld"), true, .otherLoader("/ld")), (.unreadable, true, nil), (.unknown, false, nil),
        ] as [(ExecutableKind, Bool, SynthesisObstacle?)])
    func `a started program is told of where its kind is known`(
        _ kind: ExecutableKind, _ keepsLibrary: Bool, _ obstacle: SynthesisObstacle?
    ) {
        var log = LookupLog()
        log.take(
            ExecutableInspection(program: "/bin/a", kind: kind, isPrivileged: false),
            of: StartedProgram(program: "/bin/a", keepsLibrary: keepsLibrary))
        #expect(log.uncovered == obstacle.map { [UncoveredProgram(path: "/bin/a", obstacle: $0)] } ?? [])
    }

    private func connection(_ path: String, by program: String = "sh", cut: Bool = false) -> [UInt8] {
        Array(
            "ipv6synth/1 call=connect_unix pid=7 tid=7 program=\(program) node=\(path) result=0 count=0\(cut ? " cut=1" : "") lost=0"
                .utf8)
    }

    @Test func `connections to Unix sockets are kept once, within a limit, and are no lookups`() {
        var log = LookupLog()
        for _ in 0..<2 { log.take(connection("/run/docker.sock")) }
        log.take(connection("/run/docker.sock", by: "curl"))
        log.take(connection("/run/cut.sock", cut: true))
        #expect(
            log.localConnections == ["sh", "curl"].map { LocalConnection(path: "/run/docker.sock", program: $0) })
        #expect(log.lookups.isEmpty && log.lost == 0)
        for index in 0..<LookupLog.localLimit { log.take(connection("/run/\(index)")) }
        #expect(log.localConnections.count == LookupLog.localLimit && log.lost == 2)
    }

    @Test func `started programs are bounded`() {
        var log = LookupLog()
        for index in 0..<LookupLog.limit + 10 { log.take(start("/bin/\(index)")) }
        #expect(log.takeUninspected().count == LookupLog.limit)
        #expect(log.lost == 10)
    }

    @Test func `it never grows past its limit whatever a client claims`() {
        var log = LookupLog()
        for index in 0..<LookupLog.limit + 10 { log.take(line("host\(index)")) }
        #expect(log.lookups.count == LookupLog.limit)
        #expect(log.lost == 10)
        log.take(line("host0", lost: .max))
        log.take(line("host0", lost: -5))
        log.take(line("host0", lost: .max))
        #expect(log.lost == LookupLog.lossLimit)
    }
}
