// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The verdict and the exit code.
    @Suite struct VerdictTests {
        @Test(arguments: User.available) func `a literal fails here and works on dual-stack`(_ user: User) throws {
            let output = try ipv6check("curl", "-fsS", "http://198.51.100.10/", as: user)
            #expect(output.status == 1)
            #expect(output.standardError.contains("the same command works on dual-stack"))
            #expect(output.standardError.contains("V6C-001"))
            #expect(output.text.isEmpty, "the control run's output is not the client's")
        }

        @Test func `a program that fails everywhere is not blamed on IPv6`() throws {
            let output = try ipv6check("false")
            #expect(output.status == 3)
            #expect(output.standardError.contains("on dual-stack too"))
        }

        @Test func `a program that crashes on both networks is said to`() throws {
            let output = try ipv6check("sh", "-c", "kill -SEGV $$")
            #expect(output.status == 3)
            #expect(output.standardError.contains("crashed with SIGSEGV on both networks"))
        }

        @Test func `a name that the world lacks is in the first line`() throws {
            let output = try ipv6check("curl", "-sS", "http://github.com/")
            #expect(output.status == 3)
            let line = output.standardError.split(separator: "\n").first { $0.hasPrefix("ipv6check: FAIL") }
            #expect(
                line?.hasSuffix(
                    "it asks for github.com, which the simulated world does not have (--uplink host: the real one)")
                    == true,
                Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("why         V6C-010"))
            #expect(!output.standardError.contains("V6C-007"))
        }

        @Test func `a literal to a server that fails is not contradicted by the first line`() throws {
            let output = try ipv6check("curl", "-fsS", "http://198.51.100.10/status/500")
            #expect(output.status == 3)
            #expect(output.standardError.contains("also fails on dual-stack, for a different reason"))
            #expect(output.standardError.contains("why         V6C-001"))
        }

        /// A raw socket, which an ordinary user may not open on any network.
        @Test func `what is not permitted on either network is no IPv6 problem`() throws {
            let program = """
                import socket
                address = socket.getaddrinfo("shop.test", 80)[0]
                socket.socket(address[0], socket.SOCK_RAW, socket.IPPROTO_UDP)
                """
            let output = try ipv6check("setpriv", "--bounding-set=-all", "--inh-caps=-all", "python3", "-c", program)
            #expect(output.status == 3, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("no IPv6 problem shown"))
            #expect(!output.standardError.contains("why  "))
        }

        @Test(arguments: ["getent ahosts shop.test; false", "nslookup shop.test; false"])
        func `who only resolves is not said to ignore an address`(_ script: String) throws {
            for control in ["never", "on-failure"] {
                let output = try ipv6check("--control", control, "sh", "-c", script)
                #expect(output.status != 0)
                #expect(!output.standardError.contains("V6C-003"), Comment(rawValue: output.standardError))
            }
        }

        @Test func `a private address under the well-known prefix is called that`() throws {
            let output = try ipv6check("curl", "-g", "-m", "2", "-sS", "http://[64:ff9b::10.0.0.1]/")
            #expect(output.status == 3)
            #expect(output.standardError.contains("why         V6C-012"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("carries no private or other non-global address (RFC 6052 §3.1)"))
            #expect(!output.standardError.contains("V6C-005") && !output.standardError.contains("V6C-006"))
            #expect(!output.standardError.contains("other protocols"))
        }

        @Test func `a client whose datagram was refused has a finding`() throws {
            let program = """
                import socket
                address = socket.getaddrinfo("echo.test", 9, type=socket.SOCK_DGRAM)[0][4]
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.settimeout(5)
                s.connect(address)
                s.send(b"anybody?")
                s.recv(100)
                """
            let output = try ipv6check("--control", "never", "python3", "-c", program)
            #expect(output.status == 1)
            #expect(
                output.standardError.contains(
                    "echo.test, 64:ff9b::c633:6407 (udp 9) refused the datagram: nothing listens at this port."),
                Comment(rawValue: output.standardError))
        }

        @Test func `an address out of an ipv4hint is not called a literal`() throws {
            let world = Binaries.scratch.appending(path: "hint.yaml")
            try Data(
                """
                version: 1
                hosts:
                  web.test: { addresses: [198.51.100.10], services: [http] }
                records:
                  - hint.test. HTTPS 1 . alpn=h2 ipv4hint=198.51.100.10
                """.utf8
            ).write(to: world)
            let script = "h=$(dig +short HTTPS hint.test | sed 's/.*ipv4hint=//'); exec 3<>/dev/tcp/$h/80"
            let output = try ipv6check(
                "--getaddrinfo", "linux", "--world", world.path, "bash", "-c", script)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("why         V6C-011"), Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("V6C-001"))
        }

        /// As with FTP's PORT: the client announces its address, and the server connects to it.
        @Test func `who was connected to is not said to connect to a literal`() throws {
            let world = Binaries.scratch.appending(path: "callback.yaml")
            let server = Binaries.scratch.appending(path: "callback.py")
            try Data(
                """
                import socket, sys
                host, port = sys.stdin.readline().split()
                data = socket.create_connection((host, int(port)), 3, source_address=("198.51.100.21", 0))
                data.sendall(b"data")
                """.utf8
            ).write(to: server)
            try Data(
                """
                version: 1
                hosts:
                  ftp.test:
                    addresses: [198.51.100.21]
                    services: [{ run: { port: 2121, command: [python3, \(server.path)] } }]
                """.utf8
            ).write(to: world)
            let client = """
                import socket, sys
                control = socket.create_connection(("ftp.test", 2121), 5)
                listener = socket.create_server(("", 0), family=control.family)
                listener.settimeout(2)
                control.sendall(f"{control.getsockname()[0]} {listener.getsockname()[1]}\\n".encode())
                sys.exit(0 if listener.accept()[0].recv(10) == b"data" else 1)
                """
            let output = try ipv6check("--world", world.path, "python3", "-c", client)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("why         V6C-013"), Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("V6C-001"))
        }

        @Test func `an address that nobody has is not waited for`() throws {
            let output = try ipv6check(
                "--control", "never", "--getaddrinfo", "apple", "ping", "-n", "-c", "1", "-W", "5", "8.8.8.8")
            #expect(output.status == 1)
            #expect(output.text.contains("Destination unreachable"), Comment(rawValue: output.text))
            #expect(output.standardError.contains("(icmp) cannot be reached: there is no route to it."))
        }

        @Test func `a program that does not exist is a usage error`() throws {
            let output = try ipv6check("nosuchprogram")
            #expect(output.status == 2)
            #expect(
                output.standardError
                    == "ipv6check: nosuchprogram: not found; give a program of PATH, or a path such as ./nosuchprogram\n"
            )
        }

        @Test func `a program that is not executable is a usage error`() throws {
            let file = Binaries.scratch.appending(path: "text")
            try Data("text".utf8).write(to: file)
            let output = try ipv6check(file.path)
            #expect(output.status == 2)
            #expect(output.standardError.contains("chmod +x"))
        }

        @Test func `without a client there is nothing to run`() throws {
            let output = try ipv6check()
            #expect(output.status == 4)
            #expect(output.standardError.contains("ipv6check curl -fsS http://shop.test/"))
        }

        @Test func `a client that hangs is ended`() throws {
            let output = try ipv6check("--timeout", "0.5", "sleep", "60")
            #expect(output.status == 124)
            #expect(output.standardError.contains("TIME-OUT"))
        }

        @Test func `without control run a failure is one`() throws {
            let output = try ipv6check("--control", "never", "false")
            #expect(output.status == 1)
            #expect(output.standardError.contains("not compared"))
        }

        @Test func `dual-stack can be asked for`() throws {
            let output = try ipv6check("--network", "dual-stack", "curl", "-fsS", "http://198.51.100.10/ip")
            expectPass(output)
            #expect(try ipv6check("--network", "dual-stack", "false").status == 3)
        }

        @Test func `quiet says nothing of a pass and one line of a failure`() throws {
            #expect(try ipv6check("--quiet", "true").standardError.isEmpty)
            let failure = try ipv6check("--quiet", "false")
            #expect(failure.standardError.split(separator: "\n").count == 1)
        }
    }
}
