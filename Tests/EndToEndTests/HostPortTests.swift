// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Ports of the machine at the client's own loopback addresses.
    @Suite struct HostPortTests {
        /// A server of the machine, like a CI job's: it echoes all data, and the end of the connection.
        private final class Server {
            let port: Int
            private let process: Process

            init(_ address: String = "127.0.0.1") throws {
                let output = Pipe()
                process = try .start(["python3", "-c", Self.program, address], output: output)
                let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
            }

            deinit { process.endAtOnce() }

            private static let program = """
                import socket, sys, threading
                family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
                server = socket.create_server((sys.argv[1], 0), family=family, backlog=512)
                print(server.getsockname()[1], flush=True)
                def serve(connection):
                    with connection:
                        while data := connection.recv(65536): connection.sendall(data)
                while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
                """
        }

        /// Connects to each address of its arguments, sends hello, half-closes, and expects hello and the end.
        private static let client = """
            import socket, sys
            port = int(sys.argv[1])
            for address in sys.argv[2:]:
                with socket.create_connection((address, port), timeout=10) as connection:
                    connection.sendall(b"hello " + address.encode())
                    connection.shutdown(socket.SHUT_WR)
                    answer = b""
                    while data := connection.recv(4096): answer += data
                    print(answer.decode())
            """

        private func check(
            _ options: [String], _ client: [String], as user: User = .available[0], seconds: Int = 60
        ) throws -> Output {
            try run([Binaries.ipv6check] + options + ["--"] + client, as: user, seconds: seconds)
        }

        @Test(arguments: User.available)
        func `the machine's port is at 127.0.0.1, ::1 and localhost, and the report says so`(_ user: User) throws {
            for address in ["127.0.0.1", "::1"] {
                let server = try Server(address)
                let output = try check(
                    ["--host-port", "\(server.port)"],
                    ["python3", "-c", Self.client, "\(server.port)", "127.0.0.1", "::1", "localhost"], as: user)
                expectPass(output)
                #expect(output.text == "hello 127.0.0.1\nhello ::1\nhello localhost\n")
                let note =
                    "Port \(server.port) of its own 127.0.0.1 and ::1 was that of this machine: 3 connections."
                #expect(output.standardError.contains(note), Comment(rawValue: output.standardError))
                #expect(!output.standardError.contains("V6C-"), Comment(rawValue: output.standardError))
            }
        }

        @Test(arguments: User.available)
        func `low ports and others than the machine's are there, and no port that was not named`(_ user: User) throws {
            let (named, other) = (try Server(), try Server())
            let output = try check(
                ["--host-port", "81:\(named.port)"], ["python3", "-c", Self.client, "81", "127.0.0.1"], as: user)
            expectPass(output)
            #expect(output.text == "hello 127.0.0.1\n")
            #expect(output.standardError.contains("was port \(named.port) of this machine: 1 connection."))
            let refused = try check(
                ["--host-port", "81:\(named.port)"], ["python3", "-c", Self.client, "\(other.port)", "127.0.0.1"],
                as: user)
            #expect(refused.status == 3)
            #expect(refused.standardError.contains("ConnectionRefusedError"))
            // The report of a refused connection names the option to give.
            #expect(
                refused.standardError.contains("--host-port \(other.port)"), Comment(rawValue: refused.standardError))
        }

        @Test func `the sample client of the rule's page fails without the option, and works with it`() throws {
            let server = try Server()
            let client = [
                "python3", Binaries.root.appending(path: "fixtures/clients/machine_service.py").path, "localhost",
                "\(server.port)",
            ]
            let output = try check([], client)
            #expect(output.status == 3)
            #expect(
                output.standardError.contains("--host-port \(server.port)"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-096"), Comment(rawValue: output.standardError))
            expectPass(try check(["--host-port", "\(server.port)"], client))
        }

        @Test func `a port that nobody has anywhere is not the machine's`() throws {
            let port = try Server().port
            let output = try check([], ["python3", "-c", Self.client, "\(port)", "127.0.0.1"])
            #expect(output.status == 3)
            #expect(!output.standardError.contains("--host-port"), Comment(rawValue: output.standardError))
        }

        @Test func `where nothing listens on the machine the client is reset, and the report says so`() throws {
            let port = try Server().port
            let output = try check(["--host-port", "\(port)"], ["python3", "-c", Self.client, "\(port)", "127.0.0.1"])
            #expect(output.status == 3)
            #expect(
                output.standardError.contains("1 connection, refused: nothing listens there."),
                Comment(rawValue: output.standardError))
        }

        @Test func `without 127.0.0.1 there is ::1 alone, and a client that gets 127.0.0.1 later has both`() throws {
            let server = try Server()
            let port = "\(server.port)"
            let strict = try check(
                ["--network", "strict-no-lo4", "--host-port", port], ["python3", "-c", Self.client, port, "::1"])
            expectPass(strict)
            let old = try check(
                ["--network", "strict-no-lo4", "--host-port", port, "--once"],
                ["python3", "-c", Self.client, port, "127.0.0.1"])
            #expect(old.status == 1, Comment(rawValue: old.standardError))
            let later = try check(
                ["--network", "strict-no-lo4 1s, nat64", "--host-port", port],
                ["sh", "-c", "sleep 2; exec python3 -c \"$0\" \"$@\"", Self.client, port, "127.0.0.1", "::1"])
            expectPass(later)
        }

        @Test func `control runs have it as well`() throws {
            let server = try Server()
            let output = try check(
                ["--control", "always", "--host-port", "\(server.port)"],
                ["python3", "-c", Self.client, "\(server.port)", "127.0.0.1"])
            expectPass(output)
            #expect(output.standardError.contains("dual-stack"), Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("fails on dual-stack"))
        }

        @Test(arguments: User.available)
        func `thousands of connections, one after the other and at once, lose nothing`(_ user: User) throws {
            let server = try Server()
            let output = try check(
                ["--host-port", "\(server.port)", "--once"],
                [
                    "python3", "-c",
                    """
                    import socket
                    for number in range(2000):
                        with socket.create_connection(("127.0.0.1", \(server.port)), timeout=30) as connection:
                            connection.sendall(b"%d" % number)
                            assert connection.recv(64) == b"%d" % number
                    many = [socket.create_connection(("::1", \(server.port)), timeout=30) for _ in range(200)]
                    block = bytes(100000)
                    for connection in many: connection.sendall(block); connection.shutdown(socket.SHUT_WR)
                    for connection in many:
                        count = 0
                        while data := connection.recv(65536): count += len(data)
                        assert count == len(block)
                    """,
                ], as: user)
            expectPass(output)
            #expect(output.standardError.contains(": 2200 connections."), Comment(rawValue: output.standardError))
        }

        @Test func `a program that wants the port for itself finds it taken`() throws {
            let server = try Server()
            let taken = try check(
                ["--host-port", "\(server.port)", "--once"],
                ["python3", "-c", "import socket; socket.create_server((\"127.0.0.1\", \(server.port)))"])
            #expect(taken.status == 1)
            #expect(taken.standardError.contains("Address already in use"))
        }

        @Test(arguments: [["5432", "5432:1"], ["0"], ["http"], ["1:2:3"]])
        func `a mistake ends it before anything is made`(_ ports: [String]) throws {
            let output = try check(ports.flatMap { ["--host-port", $0] }, ["true"])
            #expect(output.status == 2)
            #expect(output.standardError.contains("port"), Comment(rawValue: output.standardError))
        }

        /// The run's child processes that bridge its ports.
        private func bridges(of process: Process) throws -> [Int32] {
            let output = try run(["pgrep", "--parent", "\(process.processIdentifier)", "host-ports"])
            return output.text.split(separator: "\n").compactMap { Int32($0) }
        }

        private func started(_ server: borrowing Server, for seconds: String = "60") throws -> (
            Process, bridge: Int32, errors: URL
        ) {
            let errors = Binaries.scratch.appending(path: UUID().uuidString)
            try Data().write(to: errors)
            let process = try Process.start(
                [Binaries.ipv6check, "--once", "--host-port", "\(server.port)", "--", "sleep", seconds],
                errors: try FileHandle(forWritingTo: errors))
            var found: [Int32] = []
            _ = try comesTrue {
                found = try bridges(of: process)
                return !found.isEmpty
            }
            return (process, try #require(found.first), errors)
        }

        @Test func `a run that is killed leaves nothing`() throws {
            let server = try Server()
            let (process, bridge, _) = try started(server)
            process.endAtOnce()
            #expect(comesTrue { kill(bridge, 0) != 0 })
        }

        @Test func `a bridge that is killed makes no verdict`() throws {
            let server = try Server()
            let (process, bridge, errors) = try started(server, for: "4")
            kill(bridge, SIGKILL)
            process.waitUntilExit()
            let text = try String(contentsOf: errors, encoding: .utf8)
            #expect(process.exitStatus == 5, Comment(rawValue: text))
            #expect(text.contains("the process that leads to ports of this machine"), Comment(rawValue: text))
        }

        @Test(arguments: User.available)
        func `tests of a suite have it by their key, and a clash is an error`(_ user: User) throws {
            let server = try Server()
            let folder = try SuiteFolder(
                """
                  - name: database
                    command: [python3, client.py, "\(server.port)", 127.0.0.1, "::1"]
                    expect: { stdout: { contains: "hello ::1" } }
                  - name: other
                    command: [python3, client.py, "5432", 127.0.0.1]
                    host-ports: ["5432:\(server.port)"]
                """,
                head: "defaults: { host-ports: [\(server.port)] }", files: ["client.py": Self.client])
            let output = try folder.suite(as: user)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            let clash = try SuiteFolder(
                """
                  - name: web
                    server: { command: [python3, -m, http.server, "8080"], ready: { tcp: 8080 } }
                    host-ports: [8080]
                    probe: [{ http: 8080/, from: ipv6 }]
                """)
            let wrong = try clash.suite()
            #expect(wrong.status == 2)
            #expect(
                wrong.standardError.contains("a server of this test listens at port 8080 itself"),
                Comment(rawValue: wrong.standardError))
        }
    }
}
