// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

extension EndToEnd {
    /// Calls from two places in a program are reported as two source lines.
    @Suite struct CallSiteTests {
        /// A program that connects to an address from `lines` of its text.
        struct Program: Sendable, CustomTestStringConvertible {
            var file: String
            var text: String
            /// The words before the file's path; empty for C.
            var command: [String]
            var lines: [Int]

            var testDescription: String { file }
        }

        static let programs = [
            Program(
                file: "two.py",
                text: """
                    import socket
                    def one():
                        socket.socket(socket.AF_INET).connect(("198.51.100.10", 80))
                    def other():
                        socket.socket(socket.AF_INET).connect(("198.51.100.10", 80))
                    failed = 0
                    for call in (one, one, other):
                        try:
                            call()
                        except OSError:
                            failed = 1
                    raise SystemExit(failed)
                    """, command: ["python3"], lines: [3, 5]),
            Program(
                file: "two.pl",
                text: """
                    use Socket;
                    my $where = sockaddr_in(80, inet_aton("198.51.100.10"));
                    sub one { socket(my $link, PF_INET, SOCK_STREAM, 0);
                        return connect($link, $where); }
                    sub other { socket(my $link, PF_INET, SOCK_STREAM, 0);
                        return connect($link, $where); }
                    my $first = one(); my $second = other();
                    exit($first && $second ? 0 : 1);
                    """, command: ["perl"], lines: [4, 6]),
            Program(
                file: "two.js",
                text: """
                    const net = require("net");
                    let failed = 0;
                    function one(next) {
                        net.connect(80, "198.51.100.10").on("error", () => { failed = 1; next(); }).on("connect", next);
                    }
                    function other(next) {
                        net.connect(80, "198.51.100.10").on("error", () => { failed = 1; next(); }).on("connect", next);
                    }
                    one(() => other(() => process.exit(failed)));
                    """, command: ["node"], lines: [4, 7]),
            Program(
                file: "two.c",
                text: """
                    #include <arpa/inet.h>
                    #include <sys/socket.h>
                    static struct sockaddr_in where;
                    static int one(void) {
                        return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&where, sizeof where);
                    }
                    static int other(void) {
                        return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&where, sizeof where);
                    }
                    int main(void) {
                        where.sin_family = AF_INET;
                        where.sin_port = htons(80);
                        where.sin_addr.s_addr = inet_addr("198.51.100.10");
                        int first = one(), second = other();
                        return first < 0 || second < 0;
                    }
                    """, command: [], lines: [5, 8]),
        ]

        /// The command that runs the program, which is compiled first if it is in C.
        private func command(_ program: Program, in folder: SuiteFolder) throws -> [String] {
            guard program.command.isEmpty else { return program.command + [program.file] }
            let build = try run(["cc", "-g", "-O0", "-o", folder.path("two"), folder.path(program.file)])
            try #require(build.status == 0, Comment(rawValue: build.standardError))
            return ["./two"]
        }

        @Test(arguments: programs.filter { isInstalled($0.command.first ?? "cc") })
        func `each place that connects to an address has its line, in every report`(_ program: Program) throws {
            let folder = try SuiteFolder("", files: [program.file: program.text])
            let command = try command(program, in: folder)
            try folder.write(
                "  - { name: two, command: [\(command.joined(separator: ", "))], slow: 60s }", head: "")
            let output = try folder.suite(
                "--sarif", "r.sarif", "--json", "r.json", "--annotations", "always")
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            let sarif = try folder.read("r.sarif")
            let json = try folder.read("r.json")
            for line in program.lines {
                #expect(
                    output.standardError.contains("\(program.file):\(line)"), Comment(rawValue: output.standardError))
                #expect(sarif.contains("\"startLine\" : \(line)"), Comment(rawValue: sarif))
                #expect(json.contains("\"line\" : \(line)"), Comment(rawValue: json))
            }
            let annotations = output.standardError.split(separator: "\n").filter { $0.hasPrefix("::error") }
            #expect(annotations.count == 2, Comment(rawValue: output.standardError))
            let why = output.standardError.split(separator: "\n").filter {
                $0.hasPrefix(" ") && $0.contains("; the address is ")
            }
            #expect(why.count == 2, "the first place, from which it goes there twice, once: \(output.standardError)")
        }

        /// Libraries that call themselves sixty times before they connect, or in a thread of their own, and the user's call of each.
        static let deep = [
            (
                command: ["python3", "user.py"], line: "user.py:2",
                files: [
                    "site-packages/link.py": """
                    import socket, threading
                    def reach(address):
                        failed = []
                        def work():
                            try: socket.create_connection(address, 3, source_address=("", 0)).close()
                            except OSError as error: failed.append(error)
                        thread = threading.Thread(target=work)
                        thread.start()
                        thread.join()
                        if failed: raise SystemExit(1)
                    """,
                    "user.py":
                        "import sys; sys.path.insert(0, 'site-packages'); import link\nlink.reach(('198.51.100.10', 80))\n",
                ]
            ),
            (
                command: ["node", "user.js"], line: "internal/net.js:2",
                files: [
                    "internal/net.js": """
                    exports.reach = host =>
                        require('net').connect(80, host).on('error', () => process.exit(1));
                    """,
                    "user.js": "require('./internal/net.js').reach('198.51.100.10')\n",
                ]
            ),
            (
                command: ["python3", "user.py"], line: "user.py:2",
                files: [
                    "site-packages/deep.py": """
                    import socket
                    def reach(address, left=60):
                        if left: return reach(address, left - 1)
                        socket.create_connection(address, 3).close()
                    """,
                    "user.py":
                        "import sys; sys.path.insert(0, 'site-packages'); import deep\ndeep.reach(('198.51.100.10', 80))\n",
                ]
            ),
            (
                command: ["ruby", "user.rb"], line: "user.rb:2",
                files: [
                    "gems/deep.rb": """
                    require 'socket'
                    def reach(host, left = 60)
                      return reach(host, left - 1) if left > 0
                      TCPSocket.new(host, 80).close
                    end
                    """,
                    "user.rb": "require_relative 'gems/deep'\nreach('198.51.100.10')\n",
                ]
            ),
            (
                command: ["php", "user.php"], line: "user.php:3",
                files: [
                    "vendor/deep.php": """
                    <?php
                    function reach($host, $left = 60) {
                        if ($left > 0) return reach($host, $left - 1);
                        if (!@stream_socket_client("tcp://$host:80", $number, $text, 3)) exit(1);
                    }
                    """,
                    "user.php": "<?php\nrequire 'vendor/deep.php';\nreach('198.51.100.10');\n",
                ]
            ),
            (
                command: ["java", "-cp", ".", "User"], line: "User.java:3",
                files: [
                    "io/netty/Deep.java": """
                    package io.netty;
                    public class Deep {
                        public static void reach(String host, int left) throws Exception {
                            if (left > 0) { reach(host, left - 1); return; }
                            new java.net.Socket(host, 80).close();
                        }
                    }
                    """,
                    "User.java": """
                    public class User {
                        public static void main(String[] words) throws Exception {
                            io.netty.Deep.reach("198.51.100.10", 60);
                        }
                    }
                    """,
                ]
            ),
        ]

        @Test(arguments: deep.filter { isInstalled($0.command[0]) })
        func `the user's line is found above a deep stack of a library`(
            command: [String], line: String, files: [String: String]
        ) throws {
            let folder = try SuiteFolder("", files: files)
            if command[0] == "java" {
                let build = try run(
                    ["env", "-C", folder.path, "javac", "-g", "User.java", "io/netty/Deep.java"], seconds: 60)
                try #require(build.status == 0, build.told)
            }
            let output = try run(["env", "-C", folder.path, Binaries.ipv6check] + command, seconds: 60)
            #expect(output.status == 1 && output.standardError.contains("V6C-001"), output.told)
            // A line of no function has no brackets.
            #expect(["(\(line)", "in \(line)"].contains(where: output.standardError.contains), output.told)
        }

        @Test(arguments: [
            (["curl", "-K", "tool.conf", "-fsS", "http://shop.test/"], "# ours\n-4\n", "silent\n"),
            (
                ["env", "WGETRC=tool.conf", "wget", "-qO-", "--tries=1", "http://shop.test/"],
                "# ours\ninet4_only = on\n", "tries = 1\n"
            ),
        ])
        func `a line of a tool's configuration that keeps it to IPv4 is told, and another is not`(
            command: [String], keeping: String, healthy: String
        ) throws {
            let folder = try SuiteFolder("", files: ["tool.conf": keeping])
            let words = command.map {
                $0 == "tool.conf" ? folder.path($0) : $0.replacing("=tool", with: "=\(folder.path)/tool")
            }
            let kept = try run([Binaries.ipv6check] + words)
            #expect(kept.status == 1 && kept.standardError.contains("V6C-023"), kept.told)
            #expect(kept.standardError.contains("tool.conf:2"), kept.told)
            try folder.write(healthy, to: "tool.conf")
            expectPass(try run([Binaries.ipv6check] + words))
        }
    }
}
