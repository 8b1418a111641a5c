// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The clients of fixtures/clients/paths that a suite cannot run with their mistake: they need a fault of the links, a trace or
    /// a control run of a run that passes, or they fail on dual-stack as well.
    @Suite struct PathClientTests {
        struct Client: CustomTestStringConvertible, Sendable {
            /// The source, such as `quick_connect.c`.
            var file: String
            var arguments: [String]
            var options: [String] = []
            var environment: [String: String] = [:]
            var rule: String
            var status: Int32
            /// The source line in the finding; the marker's line if `nil`.
            var place: String?

            var testDescription: String { file }
        }

        static let clients = [
            Client(
                file: "happy_eyeballs.js", arguments: ["echo.test", "7"],
                options: ["--conditions", "down-delay=400ms"],
                rule: "V6C-032", status: 1),
            Client(
                file: "quick_connect.c", arguments: ["echo.test", "7"], options: ["--conditions", "down-delay=400ms"],
                rule: "V6C-032", status: 1),
            Client(
                file: "listen_address.js", arguments: ["mirror.conf", "7"], rule: "V6C-033", status: 3,
                place: "(mirror.conf:2)"),
            Client(
                file: "filter_flag.php", arguments: ["2e00:2:0:cafe::7", "7"], rule: "V6C-033", status: 3,
                place: "(argument 2 of php"),
            Client(
                file: "no_proxy.js", arguments: ["http://[2e00:2:0:cafe::7]:7/"],
                environment: ["http_proxy": "http://proxy.test:3128", "no_proxy": "localhost,2e00:2:0:cafe::7"],
                rule: "V6C-053", status: 3),
            Client(
                file: "upload.py", arguments: ["shop.test", "80"], options: ["--fault", "ipv6-black-hole=1400"],
                rule: "V6C-054", status: 1),
            Client(
                file: "initial.c", arguments: ["quic.test", "443"], options: ["--fault", "ipv6-black-hole=1280"],
                rule: "V6C-055", status: 1),
            Client(
                file: "retries.rb", arguments: ["echo.test", "7"], options: ["--control", "always"], rule: "V6C-057",
                status: 0),
            Client(
                file: "engine.js", arguments: ["echo.test", "7"], options: ["--trace", "always"], rule: "V6C-058",
                status: 0, place: "by engine.js"),
            Client(
                file: "engine.js", arguments: ["echo.test", "7"], rule: "V6C-058", status: 0,
                place: "docker.sock: what listens there is on the machine's own network"),
        ]

        private struct Report: Decodable {
            struct Finding: Decodable { var rule: String }
            var findings: [Finding]
        }

        private static let folder = Binaries.root.appending(path: "fixtures/clients/paths")

        private func check(_ client: Client, works: Bool) throws -> (Output, [String]) {
            let json = Binaries.scratch.appending(path: "\(client.file)-\(works).json")
            let output = try run(
                ["sh", "-c", "cd \(Self.folder.path) && exec \"$@\"", "sh", Binaries.ipv6check, "--json", json.path]
                    + ["--world", "world.yaml"] + client.options + ["--"] + (try command(client)),
                environment: client.environment.merging(["WORKS_EVERYWHERE": works ? "1" : ""]) { $1 }
                    .filter { $0.value != "" })
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            return (output, report.findings.map(\.rule))
        }

        private func command(_ client: Client) throws -> [String] {
            let interpreters = ["js": "node", "py": "python3", "rb": "ruby", "php": "php"]
            let suffix = String(client.file.drop { $0 != "." }.dropFirst())
            if let interpreter = interpreters[suffix] { return [interpreter, client.file] + client.arguments }
            let product = Binaries.directory.appending(path: "paths-\(client.file)").path
            let build = try run([
                "cc", "-g", "-std=gnu11", "-o", product, Self.folder.appending(path: client.file).path,
            ])
            try #require(build.status == 0, build.told)
            return [product] + client.arguments
        }

        /// The marker's line, such as `quick_connect.c:17`.
        private func markedLine(_ client: Client) throws -> String {
            let text = try String(contentsOf: Self.folder.appending(path: client.file), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains("MEETS \(client.rule)") })
            return "\(client.file):\(line + 1)"
        }

        @Test(arguments: clients) func `a mistake is named with its place`(_ client: Client) throws {
            let (output, rules) = try check(client, works: false)
            #expect(output.status == client.status, output.told)
            #expect(rules == [client.rule], output.told)
            #expect(output.standardError.contains(try client.place ?? markedLine(client)), output.told)
        }

        @Test(arguments: clients) func `without the mistake there is no finding`(_ client: Client) throws {
            let (output, rules) = try check(client, works: true)
            expectPass(output)
            #expect(output.text == "hello\n")
            #expect(rules.isEmpty, output.told)
        }

        @Test(arguments: [("podman.sock", true), ("app.sock", false)])
        func `curl to a container engine's socket is a warning without a trace, to any other it is none`(
            _ name: String, _ isMet: Bool
        ) throws {
            let script = """
                cd "$(mktemp -d)"
                python3 -c 'import socket, sys
                s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
                c = s.accept()[0]; c.recv(999); c.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\nhello\\n")' "$PWD/\(name)" &
                while [ ! -S \(name) ]; do sleep 0.1; done
                curl -sf --unix-socket "$PWD/\(name)" http://localhost/containers && wait
                """
            let output = try ipv6check("--once", "--", "bash", "-c", script)
            expectPass(output)
            #expect(output.text == "hello\n")
            #expect(output.standardError.contains("V6C-058") == isMet, output.told)
            #expect(output.standardError.contains("curl connected to /") == isMet, output.told)
        }

        @Test func `the others are a suite that is green`() throws {
            let output = try run(
                [Binaries.ipv6check, "suite", Self.folder.appending(path: "ipv6check.yaml").path], seconds: 300)
            #expect(output.status == 0, output.told)
        }

        @Test func `a helper that fails is named with what started it`() throws {
            let script = Self.folder.appending(path: "update.sh").path
            let output = try ipv6check("--getaddrinfo", "linux", "sh", script)
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("helper.pl (started by \"sh "), output.told)
        }
    }
}
