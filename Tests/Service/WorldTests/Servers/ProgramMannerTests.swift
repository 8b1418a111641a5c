// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Evidence
import Foundation
import LinuxNet
import NIOCore
import NIOSSL
import Suites
import TestSupport
import Testing
import Topology
import Wire

@testable import World

@Suite("Programs behind TLS, for a socket, and for the whole run", .timeLimit(.minutes(5))) struct ProgramMannerTests {
    private func shell(_ script: String, _ manner: ServedProgram.Manner) -> ServiceKind {
        .program(ServedProgram(command: ["sh", "-c", script], manner: manner))
    }

    private func python(_ script: String, _ manner: ServedProgram.Manner) -> ServiceKind {
        .program(ServedProgram(command: ["python3", "-c", script], manner: manner))
    }

    private func text(_ buffer: ByteBuffer) -> String { String(decoding: buffer.readableBytesView, as: UTF8.self) }

    private func client(_ service: RunningService) throws -> TLSConfiguration {
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(service.authority.certificatePEM.utf8)))
        return client
    }

    // MARK: Behind TLS

    /// Even a program that speaks first is started only after the handshake.
    @Test(arguments: 0..<20) func `a program that speaks first is encrypted`(_: Int) async throws {
        try await withService(shell("echo 220 ready; exec cat", .perConnection(tls: true))) { service in
            let connection = try await service.connect(tls: client(service), serverName: "host.test")
            let greeting = try await connection.receive(atLeast: 10)
            #expect(text(greeting) == "220 ready\n")
            try await connection.send("EHLO")
            let answer = try await connection.receive(atLeast: 4)
            #expect(text(answer) == "EHLO")
            try await connection.close()
            let seen = try #require(service.seen.first)
            #expect(seen.tls?.end == .completed && seen.tls?.serverName == "host.test" && seen.httpVersion == nil)
        }
    }

    @Test func `a program behind TLS is told who is there, and its end ends the connection`() async throws {
        let script = "echo $PROTO $TCPLOCALIP $TCPLOCALPORT $TCPREMOTEIP; head -c 3000000 /dev/zero"
        try await withService(shell(script, .perConnection(tls: true)), at: Loopback.ipv6) { service in
            let connection = try await service.connect(tls: client(service), serverName: "host.test")
            let all = try await connection.receiveToEnd()
            let head = "TCP ::1 \(service.port) ::1\n"
            #expect(all.readableBytes == head.utf8.count + 3_000_000)
            #expect(text(all.getSlice(at: 0, length: head.utf8.count)!) == head)
        }
    }

    /// More than all buffers have, and longer than TLS waits for the other side's close_notify (5 s).
    @Test func `what a slow client has not taken when the program has ended is not lost`() async throws {
        let script = """
            import socket, ssl, sys, time
            context = ssl.create_default_context(cadata=sys.argv[1])
            plain = socket.socket()
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            plain.connect(("127.0.0.1", int(sys.argv[2])))
            link = context.wrap_socket(plain, server_hostname="host.test", suppress_ragged_eofs=False)
            time.sleep(7)
            count = 0
            while octets := link.recv(65536): count += len(octets)
            print(count)
            """
        try await withService(shell("head -c 8000000 /dev/zero", .perConnection(tls: true))) { service in
            let output = try await runAside([
                "python3", "-c", script, service.authority.certificatePEM, "\(service.port)",
            ])
            #expect(output.text == "8000000\n")
        }
    }

    @Test func `what a client sends comes to the program, and the client's end too`() async throws {
        try await withService(shell("cksum", .perConnection(tls: true))) { service in
            let octets = [UInt8](repeating: 7, count: 2_000_000)
            let connection = try await service.connect(tls: client(service), serverName: "host.test")
            try await connection.send(ByteBuffer(bytes: octets))
            try await connection.finish()
            let answer = try await connection.receiveToEnd()
            #expect(text(answer).hasSuffix(" 2000000\n"))
        }
    }

    @Test func `who does not speak TLS starts no program`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)").path
        try await withService(shell("touch \(file); exec cat", .perConnection(tls: true))) { service in
            for text in ["HELO\r\n", "\u{16}\u{3}\u{1}", ""] {
                let connection = try await service.connect()
                try await connection.send(text)
                try? await connection.finish()
                _ = try? await connection.receiveToEnd()
                try? await connection.close()
            }
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `clients behind TLS that leave at any time leave nothing behind`() async throws {
        let processes: [Int32] = try await withService(shell("echo $$; exec cat", .perConnection(tls: true))) {
            service in
            // Side by side: a client that closes with data on the way waits for seconds, by its library's own limit.
            try await withThrowingTaskGroup(of: Int32?.self) { clients in
                for round in 0..<40 {
                    clients.addTask {
                        let connection = try await service.connect(tls: client(service), serverName: "host.test")
                        var process: Int32?
                        if round % 4 == 0 {
                            let answer = try await connection.receive(atLeast: 2)
                            let number: Int32 = try #require(Int32(text(answer).prefix { $0.isNumber }))
                            process = number
                        }
                        if round % 2 == 0 { try? await connection.send(String(repeating: "x", count: 100_000)) }
                        try? await connection.close()
                        return process
                    }
                }
                return try await clients.reduce(into: []) { if let process = $1 { $0.append(process) } }
            }
        }
        #expect(processes.count == 10)
        for process in processes { #expect(kill(process, 0) != 0) }
    }

    // MARK: For a socket

    /// Sends each text as a datagram, and gets its answer before the next one is sent.
    private func datagrams(_ service: RunningService, _ texts: [String]) async throws -> [String] {
        let script = """
            import socket
            client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            client.settimeout(10)
            for text in \(texts):
                client.sendto(text.encode(), ("127.0.0.1", \(service.port)))
                print(client.recv(65536).decode())
            """
        let run = try await runAside(["python3", "-c", script]).successful()
        return run.text.split(separator: "\n").map(String.init)
    }

    @Test func `a program for a socket answers datagrams, as inetd's wait has it`() async throws {
        let script = """
            import os, socket
            server = socket.socket(fileno=0)
            while True:
                octets, peer = server.recvfrom(65536)
                server.sendto(octets + f" {os.environ['PROTO']} {os.environ['UDPLOCALIP']} {os.getpid()}".encode(), peer)
            """
        try await withService(python(script, .perSocket)) { service in
            let answers = try await datagrams(service, ["a", "b", "c"])
            #expect(answers.map { String($0.prefix(15)) } == ["a UDP 127.0.0.1", "b UDP 127.0.0.1", "c UDP 127.0.0.1"])
            // All by one program.
            #expect(Set(answers.map { $0.split(separator: " ").last }).count == 1)
        }
    }

    @Test func `the next datagram starts a program that has ended again`() async throws {
        let script = """
            import os, socket
            server = socket.socket(fileno=0)
            octets, peer = server.recvfrom(65536)
            server.sendto(octets + f" {os.getpid()}".encode(), peer)
            """
        try await withService(python(script, .perSocket)) { service in
            let answers = try await datagrams(service, ["a", "b", "c"])
            #expect(Set(answers.map { $0.split(separator: " ").last }).count == 3)
        }
    }

    @Test func `a program that reads nothing is not started all the time`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await withService(shell("echo started >> \(file)", .perSocket)) { service in
            let script = """
                import socket, time
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", \(service.port)))
                time.sleep(1.5)
                print(open("\(file)").read().count("started"), end="")
                """
            // Counted by the client: how long it takes to come and to go is not its time.
            let counted = try await runAside(["python3", "-c", script]).successful().text
            let starts = try #require(Int(counted))
            #expect((1...3).contains(starts))
        }
    }

    // MARK: For the whole run

    /// A port that is free, and most likely remains so for a while.
    private func freePort() throws -> UInt16 {
        try StreamListener(bindingTo: LinuxNet.SocketAddress(Loopback.ipv4, port: 0)).localAddress.port
    }

    private func withStanding(
        _ kind: ServiceKind, _ body: (HermeticServers, UInt16, CertificateAuthority) async throws -> Void
    ) async throws {
        let port = try freePort()
        let authority = try CertificateAuthority()
        let servers = try HermeticServers.start(
            try Loopback.world(kind, port: port), records: RecordStore([]), authority: authority, now: { .zero })
        do {
            try await body(servers, port, authority)
            await servers.stop()
        } catch {
            await servers.stop()
            throw error
        }
    }

    @Test func `a program that lives for the run listens for itself, and is waited for`() async throws {
        let script = """
            import http.server, os, time
            time.sleep(0.3)
            http.server.HTTPServer((os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])),
                                   http.server.SimpleHTTPRequestHandler).serve_forever()
            """
        var place: UInt16 = 0
        try await withStanding(python(script, .standing(.tcp, tls: false))) { _, port, _ in
            place = port
            for _ in 0..<3 {
                let answer = try await runAside([
                    "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(port)/",
                ])
                #expect(answer.text == "200")
            }
        }
        // It has gone with the run.
        let listener = try await runAside(["curl", "-sS", "http://127.0.0.1:\(place)/"])
        #expect(listener.status != 0)
    }

    @Test func `it is given a certificate`() async throws {
        let script = """
            import http.server, os, ssl
            file = os.environ["IPV6CHECK_CERTIFICATE"]
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file, file)
            server = http.server.HTTPServer((os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])),
                                            http.server.SimpleHTTPRequestHandler)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            server.serve_forever()
            """
        try await withStanding(python(script, .standing(.tcp, tls: true))) { _, port, authority in
            let trusted = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString).pem")
            try authority.certificatePEM.write(to: trusted, atomically: false, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: trusted) }
            for name in ["host.test", "alias.test"] {
                let answer = try await runAside([
                    "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", trusted.path, "--resolve",
                    "\(name):\(port):127.0.0.1", "https://\(name):\(port)/",
                ])
                #expect(answer.text == "200", Comment(rawValue: answer.standardError))
            }
        }
    }

    @Test func `over UDP it is waited for, too`() async throws {
        let script = """
            import os, socket, time
            time.sleep(0.2)
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind((os.environ["UDPLOCALIP"], int(os.environ["UDPLOCALPORT"])))
            octets, peer = server.recvfrom(65536)
            server.sendto(octets, peer)
            time.sleep(60)
            """
        try await withStanding(python(script, .standing(.udp, tls: false))) { _, port, _ in
            let client = """
                import socket
                client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                client.settimeout(10)
                client.sendto(b"hello", ("127.0.0.1", \(port)))
                print(client.recv(100).decode())
                """
            let answer = try await runAside(["python3", "-c", client]).successful()
            #expect(answer.text == "hello\n")
        }
    }

    @Test func `one that ends before it listens is told`() async throws {
        let port = try freePort()
        let world = try Loopback.world(shell("exit 3", .standing(.tcp, tls: false)), port: port)
        let authority = try CertificateAuthority()
        #expect {
            _ = try HermeticServers.start(
                world, records: RecordStore([]), authority: authority, now: { .zero })
        } throws: { error in
            "\(error)"
                == "cannot offer run of host.test. at 127.0.0.1 port \(port): its program ended before it was ready (exit 3)"
        }
    }

    @Test func `one that ends later is told to who is there and who comes`() async throws {
        let script = """
            import os, socket, time
            server = socket.create_server((os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])))
            server.accept()
            """
        try await withStanding(python(script, .standing(.tcp, tls: false))) { servers, port, _ in
            servers.connections.begin(ClientSlot(0), at: .zero)
            try await runAside(["python3", "-c", "import socket; socket.create_connection(('127.0.0.1', \(port)))"])
                .successful()
            let refusal = WorldRefusal(.programEnded, .tcp, Loopback.ipv4, port: port)
            var told: [WorldRefusal] = []
            for place in 1..<500 where told.isEmpty {
                servers.connections.begin(ClientSlot(place), at: .zero)
                told = servers.connections.end(ClientSlot(place))
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(told == [refusal])
            #expect(servers.connections.end(ClientSlot(0)) == [refusal])
        }
    }

    // MARK: Preparing, readiness and the end

    private func standing(
        _ script: String, prepare: [String]? = nil, ready: [Readiness] = [], within: Duration = .seconds(20),
        grace: Duration = .seconds(5)
    ) -> ServiceKind {
        .program(
            ServedProgram(
                command: ["python3", "-c", script, "{address}", "{port}", "{state}"],
                manner: .standing(.tcp, tls: false),
                prepare: prepare, ready: ready, within: within, grace: grace))
    }

    /// Notes SIGTERM in the file `end` of its folder, or ignores it; has children that do so, too.
    private func noting(_ notes: String, ignoring: Bool = false) -> String {
        """
        import os, signal, socket, sys, time
        def end(number, frame):
            open("\(notes)", "a").write(f"{number} "); os._exit(0)
        signal.signal(signal.SIGTERM, \(ignoring ? "signal.SIG_IGN" : "end"))
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                os.write(writer, b"x")
        else:
            os.read(reader, 1)
            server = socket.create_server((sys.argv[1], int(sys.argv[2])))
        while True: time.sleep(9)
        """
    }

    @Test func `SIGTERM reaches a program and all that it has started`() async throws {
        let notes = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: notes) }
        let start = ContinuousClock.now
        try await withStanding(standing(noting(notes), grace: .seconds(240))) { _, _, _ in }
        #expect(ContinuousClock.now - start < .seconds(200))
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "15 15 15 ")
    }

    @Test func `what ignores SIGTERM is killed after its grace`() async throws {
        // Its start may take longer on a busy machine than the grace and the kill do.
        var end = ContinuousClock.now
        try await withStanding(standing(noting("/dev/null", ignoring: true), grace: .milliseconds(700))) { _, _, _ in
            end = .now
        }
        let taken = ContinuousClock.now - end
        #expect(taken > .milliseconds(700))
    }

    @Test func `a program is prepared in an empty folder, which goes with it`() async throws {
        let script = """
            import http.server, os, sys
            os.chdir(sys.argv[3])
            http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), http.server.SimpleHTTPRequestHandler).serve_forever()
            """
        let prepare = ["sh", "-c", "ls -A > found; pwd > where; echo {{state}} {state} >> where"]
        var folder = ""
        try await withStanding(standing(script, prepare: prepare)) { _, port, _ in
            let answer = try await runAside(["curl", "-sS", "http://127.0.0.1:\(port)/{where,found}"]).successful()
            let lines = answer.text.split(separator: "\n").map(String.init)
            folder = try #require(lines.first)
            #expect(lines == [folder, "{state} \(folder)", "found"])
            #expect(FileManager.default.fileExists(atPath: folder))
        }
        let parent = URL(filePath: folder).deletingLastPathComponent().path
        for _ in 0..<500 where FileManager.default.fileExists(atPath: parent) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!FileManager.default.fileExists(atPath: parent))
    }

    private static let listening =
        "import socket, sys, time; s = socket.create_server((sys.argv[1], int(sys.argv[2]))); print('listening', flush=True); "

    @Test(arguments: [
        (listening + "time.sleep(1); print('open now', flush=True); time.sleep(60)", [Readiness.log("open now")]),
        (listening + "time.sleep(1); open(sys.argv[3] + '/up', 'w'); time.sleep(60)", [.file("{state}/up")]),
    ]) func `no client begins before a program is ready`(script: String, ready: [Readiness]) async throws {
        let start = ContinuousClock.now
        try await withStanding(standing(script, ready: ready)) { _, _, _ in
            #expect(ContinuousClock.now - start > .seconds(1))
        }
    }

    /// The time is up as soon as the program has come where it stays, however long it takes to come there.
    @Test(arguments: [
        (listening, [Readiness.log("never")], "its output does not contain \"never\" (listening)"),
        (listening, [.tcp(1)], "nothing listens at tcp 1"), ("", [], "it does not listen there"),
    ]) func `a program that is not ready in time is told, with what it said`(
        script: String, ready: [Readiness], missing: String
    ) throws {
        let stays = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: stays) }
        let whole = "import time; \(script)open('\(stays)', 'w'); time.sleep(60)"
        let reason = try startFailure(of: standing(whole, ready: ready, within: .seconds(1))) {
            FileManager.default.fileExists(atPath: stays) ? .zero + .seconds(1) : .zero
        }
        #expect(reason == "its program was not ready after 1 s: \(missing)")
    }

    @Test func `a program that ends before it is ready is told, with what it said`() throws {
        let service = standing(Self.listening + "sys.exit('no disk')", ready: [.log("never")])
        let reason = try startFailure(of: service) { .zero }
        #expect(reason == "its program ended before it was ready (exit 1) (listening | no disk)")
    }

    private func startFailure(of service: ServiceKind, now: @escaping @Sendable () -> Instant) throws -> String? {
        let world = try Loopback.world(service, port: try freePort())
        let authority = try CertificateAuthority()
        let error = #expect(throws: ServiceStartError.self) {
            _ = try HermeticServers.start(world, records: RecordStore([]), authority: authority, now: now)
        }
        return error?.reason
    }

    @Test(arguments: [
        (["sh", "-c", "echo first; echo disk full >&2; exit 7"], "ended with exit 7 (first | disk full)"),
        (["sh", "-c", "kill -9 $$"], "ended with signal 9"), (["sleep", "60"], "did not end within 1 s"),
        (["no-such-program"], ": there is no no-such-program"),
    ]) func `a preparation that fails is told, with what it said`(prepare: [String], reason: String) throws {
        let within = Duration.seconds(prepare[0] == "sleep" ? 1 : 60)
        let world = try Loopback.world(standing("", prepare: prepare, within: within), port: 4)
        let error = #expect(throws: ServiceStartError.self) { _ = try ProgramHost(world) }
        #expect(error?.reason == "its prepare command" + (reason.hasPrefix(":") ? "" : " ") + reason)
    }

    // MARK: Between the processes

    @Test func `a request is what comes out at the other side`() {
        let addresses = [
            LinuxNet.SocketAddress(IPv4Address(127, 0, 0, 1), port: 443),
            LinuxNet.SocketAddress(IPv6Address(bits: 0x2001_0db8 << 96 | 7), port: 65535),
        ]
        for local in addresses {
            for peer in [nil, addresses[0], addresses[1]] {
                for wish in [ProgramRequest.Wish.start, .readiness, .output, .renewal] {
                    let request = ProgramRequest(513, wish, local: local, peer: peer)
                    #expect(ProgramRequest(request.octets) == request)
                }
            }
        }
        #expect(
            ProgramRequest([0, 1]) == nil
                && ProgramRequest([UInt8](repeating: 255, count: ProgramRequest.length)) == nil)
    }
}
