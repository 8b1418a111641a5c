// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A family that is chosen far from the call that fails for it.
    @Suite struct IPv4ChoiceTests {
        struct Program: Sendable, CustomTestStringConvertible {
            var command: [String]
            var files: [String: String]
            /// The line that chooses IPv4; `nil` if no single line does.
            var place: String?

            var testDescription: String { command.joined(separator: " ") }
        }

        private static let fetch = """
            import socket, settings
            # AF_INET is in settings
            link = socket.socket(settings.FAMILY)
            link.connect(("shop.test", 80))
            """

        static let programs = [
            Program(
                command: ["python3", "fetch.py"],
                files: ["fetch.py": fetch, "settings.py": "import socket\n\nFAMILY = socket.AF_INET\n"],
                place: "settings.py:3"),
            Program(
                command: ["python3", "twice.py"],
                files: [
                    "twice.py": fetch,
                    "settings.py":
                        "import socket\nFAMILY = socket.AF_INET\nOTHERS = [socket.AF_INET]\n",
                ]),
            Program(
                command: ["python3", "old.py"],
                files: [
                    "old.py": """
                    import socket
                    FAMILY = socket.AF_INET
                    socket.create_connection((socket.gethostbyname("shop.test"), 80), 5)
                    """
                ]),
            Program(
                command: ["python3", "either.py"],
                files: [
                    "either.py": """
                    import socket
                    def family(server): return socket.AF_INET6 if ":" in server else socket.AF_INET
                    known = socket.getaddrinfo("shop.test", 80, 2)
                    socket.create_connection(known[0][4], 5)
                    """
                ]),
            Program(
                command: ["node", "fetch.js"],
                files: [
                    "fetch.js": """
                    const options = require('./options.js');
                    require('http').get({host: 'shop.test', ...options}, (r) => r.resume()).on('error', () => process.exit(1));
                    """,
                    "options.js": "module.exports = {\n  timeout: 3000,\n  family: 4, // as the old network\n};\n",
                ], place: "options.js:3"),
            Program(
                command: ["ruby", "fetch.rb"],
                files: [
                    "fetch.rb": """
                    require 'socket'
                    require_relative 'family'
                    s = Socket.new(FAMILY, :STREAM)
                    s.connect(Addrinfo.getaddrinfo('shop.test', 80, FAMILY).first)
                    """,
                    "family.rb": "FAMILY = Socket::AF_INET\n",
                ], place: "family.rb:1"),
            Program(
                command: ["bash", "fetch.sh"],
                files: ["fetch.sh": "# curl with -4\nOPTIONS=(-fsS -4)\ncurl \"${OPTIONS[@]}\" http://shop.test/\n"],
                place: "fetch.sh:2"),
            Program(
                command: ["go", "run", "fetch.go"],
                files: [
                    "fetch.go": """
                    package main

                    import "net"

                    const network = "tcp4"

                    func main() {
                    \tif _, err := net.Dial(network, "shop.test:80"); err != nil {
                    \t\tpanic(err)
                    \t}
                    }
                    """
                ], place: "fetch.go:5"),
        ]

        @Test(arguments: programs.filter { isInstalled($0.command[0]) })
        func `the line that chooses IPv4 is told, if there is one alone`(_ program: Program) throws {
            let folder = try SuiteFolder("", files: program.files)
            var command = program.command
            if command[0] == "go" {
                let build = try run(
                    ["env", "-C", folder.path, "CGO_ENABLED=0", "go", "build", "-o", "fetch", command[2]], seconds: 120)
                try #require(build.status == 0, build.told)
                command = ["./fetch"]
            }
            let output = try run(["env", "-C", folder.path, Binaries.ipv6check] + command)
            #expect(output.status == 1, output.told)
            if let place = program.place {
                #expect(output.standardError.contains("IPv4 is chosen in \(place)."), output.told)
            } else {
                #expect(!output.standardError.contains("IPv4 is chosen"), output.told)
            }
        }

        /// The loader looks for each library in each of these folders, and below them.
        @Test func `many paths at which there is no file leave no source out`() throws {
            let program = Self.programs[0]
            let folder = try SuiteFolder("", files: program.files)
            let folders = (0..<8).map { "/nonexistent/\($0)" }.joined(separator: ":")
            let output = try run(
                ["env", "-C", folder.path, "LD_LIBRARY_PATH=\(folders)", Binaries.ipv6check] + program.command)
            #expect(output.standardError.contains("IPv4 is chosen in settings.py:3."), output.told)
        }

        /// The call's own line has the family, and is told already.
        @Test func `a choice at the call's own line is not told twice`() throws {
            let folder = try SuiteFolder(
                "", files: ["one.py": "import socket\nsocket.socket(socket.AF_INET).connect(('shop.test', 80))\n"])
            let output = try run(["env", "-C", folder.path, Binaries.ipv6check, "python3", "one.py"])
            #expect(output.status == 1 && output.standardError.contains("one.py:2"), output.told)
            #expect(!output.standardError.contains("IPv4 is chosen"), output.told)
        }
    }
}
