// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Literal synthesis: clients that are given IPv4 addresses as text.
    @Suite struct LiteralTests {
        private let netcat = ["nc", "-w", "2", "-q", "0", "198.51.100.7", "7"]

        private let apple = ["--getaddrinfo", "apple"]

        private func check(
            _ command: [String], options: [String] = [], as user: User = .available[0], input: String? = nil,
            environment: [String: String] = [:]
        ) throws -> Output {
            try run(
                [Binaries.ipv6check] + options + ["--"] + command, as: user, input: input.map { Data($0.utf8) },
                environment: environment)
        }

        /// The versions with a mistake match a rule: see `RuleTests`.
        @Test(arguments: SampleClient.inC) func `a literal that is given to getaddrinfo reaches its host`(
            _ client: SampleClient
        ) throws {
            let output = try check(client.command(works: true, node: "198.51.100.7"), options: apple)
            expectPass(output)
            #expect(output.text == "hello\n")
        }

        @Test func `the call and its place are named`() throws {
            let client = SampleClient.named("inet_addr")
            let output = try check(client.command(works: false))
            let caller = try #require(try client.command(works: false)[0].split(separator: "/").last)
            #expect(output.standardError.contains("\(caller)+0x"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("called inet_addr(\"198.51.100.7\"), which knows IPv4 only"))
        }

        @Test(arguments: User.available) func `a program that passes by synthesis is told so`(_ user: User) throws {
            let output = try check(netcat, options: apple, as: user, input: "hello\n")
            expectPass(output)
            #expect(output.text == "hello\n")
            #expect(output.standardError.hasPrefix("ipv6check: PASS by literal synthesis  nc "))
            #expect(output.standardError.contains("warning     V6C-009"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("198.51.100.7 → 64:ff9b::c633:6407  getaddrinfo("))
        }

        @Test func `Python connects to a literal`() throws {
            expectPass(
                try check(
                    ["python3", "-c", "import socket; socket.create_connection(('198.51.100.10', 80))"], options: apple)
            )
        }

        @Test(arguments: [[], ["--getaddrinfo", "linux"]])
        func `Apple's getaddrinfo shows the difference, and decides nothing`(_ options: [String]) throws {
            let json = Binaries.scratch.appending(path: "literal\(options.count).json")
            let output = try check(
                ["sh", "-c", "echo hello | \(netcat.joined(separator: " "))"], options: options + ["--json", json.path])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(
                output.standardError.contains(
                    "note        It works on Apple's systems, by literal synthesis (--getaddrinfo apple)."),
                Comment(rawValue: output.standardError))

            struct Report: Decodable {
                struct Run: Decodable {
                    struct Lookup: Decodable {
                        var call: String
                        var node: String?
                        var synthesised: [String]
                        var program: String?
                        var process: Int
                    }
                    var network: String
                    var getaddrinfo: String
                    var exitStatus: Int?
                    var lookups: [Lookup]
                }
                struct Finding: Decodable {
                    var rule: String
                    var severity: String
                }
                var reliesOnSynthesis: Bool
                var findings: [Finding]
                var runs: [Run]
            }
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            #expect(!report.reliesOnSynthesis)
            #expect(report.findings.map(\.rule) == ["V6C-001"])
            #expect(report.runs.map(\.network) == ["nat64", "nat64", "dual-stack", "nat64"])
            #expect(report.runs.map(\.getaddrinfo) == ["linux", "linux", "linux", "apple"])
            #expect(report.runs[3].exitStatus == 0)
            let literal = try #require(report.runs[0].lookups.first { $0.node == "198.51.100.7" })
            #expect(literal.call == "getaddrinfo" && literal.synthesised.isEmpty)
            let lookup = try #require(report.runs[3].lookups.first { $0.node == "198.51.100.7" })
            #expect(lookup.synthesised == ["64:ff9b::c633:6407"])
            #expect(lookup.program?.hasPrefix("nc") == true)
            #expect(lookup.process > 1)
        }

        @Test func `a program that fails by the synthesis is told so`() throws {
            let output = try check(
                ["python3", "-c", "import socket; exit(socket.getaddrinfo('1.2.3.4', 80)[0][4][0] != '1.2.3.4')"],
                options: apple)
            #expect(output.status == 1)
            #expect(output.standardError.contains("why         V6C-091"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("with the machine's own getaddrinfo it passes."))
            #expect(!output.standardError.contains("V6C-003"))
        }

        /// A name that works does not hide the literal after it.
        @Test func `a literal beside a name fails`() throws {
            let code =
                "import socket; [socket.create_connection((h, 80), 3) for h in ('shop.test', '198.51.100.10')]"
            let output = try check(["python3", "-c", code])
            #expect(output.status == 1 && output.standardError.contains("why         V6C-001"))
            let synthesised = try check(["python3", "-c", code], options: apple)
            expectPass(synthesised)
            #expect(synthesised.standardError.contains("warning     V6C-009"), Comment(rawValue: output.standardError))
        }

        @Test func `an address that the DNS told is a literal all the same`() throws {
            let script = """
                address=$(dig +short A shop.test | head -1)
                dig +short AAAA shop.test > /dev/null
                exec 5<> "/dev/tcp/$address/80" || exit 1
                """
            let output = try check(["bash", "-c", script])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("why         V6C-016"), Comment(rawValue: output.standardError))
            let synthesised = try check(["bash", "-c", script], options: apple)
            expectPass(synthesised)
            #expect(synthesised.standardError.contains("warning     V6C-009"))
        }

        @Test(arguments: [[], ["--getaddrinfo", "apple"]])
        func `a name after a literal that fails is a pass`(_ options: [String]) throws {
            let script = """
                import socket
                for host in ("203.0.113.99", "shop.test"):
                    try: socket.create_connection((host, 80), 3).close(); exit(0)
                    except OSError: pass
                exit(1)
                """
            let output = try check(["python3", "-c", script], options: options)
            expectPass(output)
            #expect(!output.standardError.contains("would fail"), Comment(rawValue: output.standardError))
        }

        @Test func `what --also-linux was is said`() throws {
            let output = try check(netcat, options: ["--also-linux"])
            #expect(output.status == 2 && output.standardError.contains("give --getaddrinfo apple for Apple's"))
        }

        /// The environment has neither the library nor its variables.
        @Test func `a client that is left alone has nothing loaded`() throws {
            let environment = try check(["env"], options: ["--trace", "never"])
            #expect(
                !environment.text.contains("LD_PRELOAD") && !environment.text.contains("IPV6CHECK_GETADDRINFO"),
                environment.told)
            #expect(try check(["env"]).text.contains("IPV6CHECK_GETADDRINFO=linux"))
        }

        @Test func `a prefix of our own is the one that is synthesised under`() throws {
            let output = try check(netcat, options: apple + ["--prefix", "2001:db8:64::/48"], input: "hello\n")
            expectPass(output)
            #expect(output.standardError.contains("198.51.100.7 → 2001:db8:64:c633:64:700::"))
        }

        @Test func `a static client is reported as not covered`() throws {
            let client = SampleClient.named("getaddrinfo_loop")
            let output = try check(client.command(works: true, compiler: ["cc", "-static"]), options: apple)
            #expect(output.status == 1)
            #expect(output.standardError.contains("it is statically linked"), Comment(rawValue: output.standardError))
        }

        /// hey, from Debian, is written in Go and linked to the C library.
        @Test(.enabled(if: isInstalled("hey"), "needs hey")) func `a Go client is reported as not covered`() throws {
            let byName = try check(["hey", "-n", "1", "-c", "1", "http://shop.test/"], options: apple)
            expectPass(byName)
            #expect(byName.text.contains("[200]\t1 responses"), Comment(rawValue: byName.text))
            let byLiteral = try check(["hey", "-n", "1", "-c", "1", "http://198.51.100.10/"], options: apple)
            #expect(byLiteral.text.contains("network is unreachable"), Comment(rawValue: byLiteral.text))
            for report in [byName.standardError, byLiteral.standardError] {
                #expect(report.contains("it is a Go program"), Comment(rawValue: report))
            }
        }

        @Test func `a child that is not covered is reported`() throws {
            let client = SampleClient.named("getaddrinfo_loop")
            let command = try client.command(works: true, compiler: ["cc", "-static"])
            let output = try check(
                ["sh", "-c", "\(command.joined(separator: " ")); env -i /bin/ls / >/dev/null"], options: apple)
            #expect(
                output.standardError.contains(
                    "No literal synthesis for \(command[0]), which the client started: it is statically linked"),
                Comment(rawValue: output.standardError))
            #expect(
                output.standardError.contains(
                    "No literal synthesis for /bin/ls, which the client started: it was started with an environment without"
                ),
                Comment(rawValue: output.standardError))
        }

        @Test(.enabled(if: isInstalled("musl-gcc"), "needs musl-gcc (musl-tools)"))
        func `a child of another C library is not harmed`() throws {
            let client = SampleClient.named("getaddrinfo_loop")
            let command = try client.command(works: true, compiler: ["musl-gcc"])
            let output = try check(["sh", "-c", command.joined(separator: " ")], options: apple)
            expectPass(output)
            #expect(output.text == "hello\n")
        }

        /// Needs root, to make a program that runs with another user's rights.
        @Test(needsRoot) func `a set-user-ID client is reported as not covered`() throws {
            let program = Binaries.directory.appending(path: "nc-setuid").path
            let netcatPath = try run(["sh", "-c", "readlink -f \"$(command -v nc)\""]).text
                .trimmingCharacters(in: .newlines)
            let made = try run([
                "sh", "-c", "cp '\(netcatPath)' '\(program)' && chown 65534 '\(program)' && chmod 4755 '\(program)'",
            ])
            try #require(made.status == 0, Comment(rawValue: made.standardError))
            defer { try? FileManager.default.removeItem(atPath: program) }
            let output = try check([program] + netcat.dropFirst(), options: apple, input: "hello\n")
            #expect(output.status == 1)
            #expect(
                output.standardError.contains("it runs with another user's rights"),
                Comment(rawValue: output.standardError))
            // In an ordinary user's namespace the other user does not exist, so the program is like any other.
            let ordinary = try check([program] + netcat.dropFirst(), options: apple, as: .ordinary, input: "hello\n")
            expectPass(ordinary)
        }

        @Test(.enabled(if: isInstalled("musl-gcc"), "needs musl-gcc (musl-tools)"))
        func `a client of another C library works`() throws {
            let client = SampleClient.named("getaddrinfo_loop")
            expectPass(try check(client.command(works: true, compiler: ["musl-gcc"]), options: apple))
        }

        @Test(needsRoot) func `a child that has become somebody else finds the library`() throws {
            let output = try check(
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + netcat, options: apple,
                input: "hello\n")
            expectPass(output)
            #expect(!output.standardError.contains("ld.so"), Comment(rawValue: output.standardError))
        }

        @Test func `what the user preloads stays`() throws {
            let output = try check(
                ["sh", "-c", "echo $LD_PRELOAD"], environment: ["LD_PRELOAD": "libm.so.6"])
            #expect(output.text.hasSuffix("libipv6synth.so:libm.so.6\n"), Comment(rawValue: output.text))
        }

        @Test func `a client without literals notices nothing`() throws {
            let command = ["sh", "-c", "echo out; echo err >&2; curl -fsS http://shop.test/ip >/dev/null; exit 7"]
            let outputs = try ["apple", "linux"].map {
                try check(command, options: ["--quiet", "--control", "never", "--getaddrinfo", $0])
            }
            #expect(outputs[0].text == "out\n")
            #expect(outputs[0].text == outputs[1].text)
            #expect(outputs[0].standardError.hasPrefix("err\n"))
            #expect(outputs[0].standardError == outputs[1].standardError)
            #expect(outputs[0].status == outputs[1].status)
        }

        @Test func `the library is only in the clients view`() throws {
            let output = try check(["sh", "-c", "echo $LD_PRELOAD; test -r $LD_PRELOAD"])
            expectPass(output)
            let path = output.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(!path.hasPrefix(Binaries.directory.path), "an empty folder shows it")
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test func `without the library the default goes on and a wish fails`() throws {
            let folder = Binaries.scratch.appending(path: "alone")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let alone = folder.appending(path: "ipv6check").path
            try FileManager.default.copyItem(atPath: Binaries.ipv6check, toPath: alone)

            let default_ = try run([alone, "--", "true"])
            expectPass(default_)
            #expect(default_.standardError.contains("What your program looks up is not recorded:"))

            let shell = try run([alone, "shell"], environment: ["SHELL": "/bin/sh"])
            #expect(shell.standardError.contains("  note        What your program looks up is not recorded:"))

            let doctor = try run([alone, "doctor"])
            #expect(doctor.status == 0)
            #expect(doctor.text.contains("fix: install ipv6check again"), Comment(rawValue: doctor.text))
            try Data("no library".utf8).write(to: folder.appending(path: "libipv6synth.so"))
            #expect(try run([alone, "doctor"]).text.contains("cannot be loaded: "))
            try FileManager.default.removeItem(at: folder.appending(path: "libipv6synth.so"))

            let wish = try run([alone, "--getaddrinfo", "android", "--", "true"])
            #expect(wish.status == 2)
            #expect(wish.standardError.contains("fix: install ipv6check again"))
            #expect(wish.standardError.split(separator: "\n").count == 1)
        }
    }

    /// `ipv6check resolve`
    @Suite struct ResolveTests {
        @Test func `every profile has its answer`() throws {
            let output = try ipv6check("resolve", "198.51.100.10", "80", "--socktype", "stream")
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            let lines = output.text.split(separator: "\n").map { $0.split(separator: " ") }
            let first = Dictionary(
                uniqueKeysWithValues: lines.filter { $0.count > 4 || $0.count == 2 }.map { ($0[0], $0[1]) })
            #expect(first["apple"] == "64:ff9b::c633:640a")
            #expect(first["apple-ios9"] == "64:ff9b::c633:640a")
            #expect(first["chromium"] == "64:ff9b::c633:640a")
            #expect(output.text.contains("SOCK_STREAM  synthesised"))
        }

        @Test func `hints and prefixes are given by name`() throws {
            let output = try ipv6check(
                "resolve", "198.51.100.10", "--profile", "apple", "--family", "inet6", "--socktype", "SOCK_DGRAM",
                "--flags", "addrconfig", "--prefix", "2001:db8:64::/96", "--prefix", "64:ff9b::/96")
            let addresses = output.text.split(separator: "\n").compactMap { line in
                line.split(separator: " ").first { $0.contains("::") }
            }
            #expect(addresses == ["2001:db8:64::c633:640a", "64:ff9b::c633:640a"])
        }

        @Test func `errors have names`() throws {
            let output = try ipv6check(
                "resolve", "198.51.100.10", "nosuchservice", "--profile", "linux", "--family", "inet")
            #expect(output.status == 0)
            #expect(output.text.contains("EAI_SERVICE"))
            #expect(try ipv6check("resolve", "198.51.100.10", "--prefix", "2001:db8::/33").status == 2)
            #expect(try ipv6check("resolve", "198.51.100.10", "--family", "ipx").status == 2)
        }
    }
}
