// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The output of a client's further runs.
    @Suite struct ReportedErrorTests {
        /// It gets through, and fails for its peer's address.
        private static let client = """
            import socket

            def number(address):
                first, second, third, last = address.split(".")
                return int(first) << 24

            with socket.create_connection(("shop.test", 80), 5) as link:
                link.sendall(b"GET / HTTP/1.0\\r\\nHost: shop.test\\r\\n\\r\\n")
                while link.recv(4096): pass
                print("the number is", number(link.getpeername()[0]))
            """
        private static let told =
            "It reported \"ValueError: not enough values to unpack (expected 4, got 1)\" in number (client.py:4)."

        private func folder() throws -> SuiteFolder {
            try SuiteFolder("  - { name: number, command: [python3, client.py] }", files: ["client.py": Self.client])
        }

        @Test(arguments: User.available) func `the error of a client has its line`(_ user: User) throws {
            let output = try folder().command(["python3", "client.py"], as: user)
            #expect(output.status == 1 && output.standardError.contains(Self.told), output.told)
            #expect(output.standardError.ranges(of: "Traceback").count == 1, "the user's run alone is shown")
            #expect(!output.standardError.contains("the number is 3"), output.told)
            let untraced = try folder().command(["--trace", "never", "python3", "client.py"], as: user)
            #expect(untraced.standardError.contains("(client.py:4)"), untraced.told)
        }

        @Test func `in a suite, too`() throws {
            let folder = try folder()
            let output = try folder.suite("--json", folder.path("results.json"))
            #expect(output.status == 1, output.told)
            #expect(try folder.read("results.json").contains("(client.py:4)"), output.told)
        }

        @Test func `verbose output shows what the further runs print`() throws {
            let output = try folder().command(["--verbose", "python3", "client.py"])
            #expect(output.standardError.ranges(of: "Traceback").count == 3, output.told)
            #expect(output.standardError.contains("the number is 3"), "on dual-stack")
            #expect(output.text.isEmpty)
        }

        @Test func `a client that prints without end in its further runs is not kept from that, and ends`() throws {
            let chatty =
                "test -e ran && yes | head -c 50000000; touch ran; curl -fs http://shop.test/ > /dev/null; exit 3"
            let output = try folder().command(["sh", "-c", chatty])
            #expect(output.status == 3, output.told)
            #expect(output.standardError.utf8.count < 20_000)
        }

        @Test func `a further run that closes its output, and leaves a process with it, ends`() throws {
            let closing = "exec > /dev/null 2>&1; sleep 0.1; curl -fs http://198.51.100.10/"
            #expect(try folder().command(["sh", "-c", closing]).status == 1)
            let leaving = "setsid sleep 7118 & curl -fs http://198.51.100.10/"
            #expect(try folder().command(["sh", "-c", leaving], seconds: 30).status == 1)
        }

        @Test func `a failure is reported, even if its second run cannot be made`() throws {
            let folder = try folder()
            let script = "curl -fs http://198.51.100.10/; code=$?; rm -f \"$0\"; exit $code"
            try folder.write("#!/bin/sh\n" + script, to: "once")
            let made = try folder.bash("chmod +x once")
            try #require(made.status == 0)
            let output = try folder.command(["--json", "report.json", "./once"])
            #expect(output.status == 2, output.told)
            #expect(output.standardError.contains("FAIL  ./once fails on nat64"), output.told)
            #expect(output.standardError.contains("cannot be executed"), output.told)
            #expect(try folder.json("report.json")["exitCode"] as? Int == 2)
        }

        // MARK: - Ends

        private static let c = """
            #include <netdb.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/socket.h>
            #include <unistd.h>

            static void die(const char *why) {
                fprintf(stderr, "%s\\n", why);
                exit(9);
            }

            static int octet(const char *text, int crashes) {
                const char *dot = strchr(text, '.');
                if (crashes) return *dot == 'x';
                if (!dot) die("no address");
                return atoi(dot + 1);
            }

            int main(int count, char **arguments) {
                struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
                char text[NI_MAXHOST], answer[4096];
                if (getaddrinfo("shop.test", "80", &hints, &found)) return 2;
                int link = socket(found->ai_family, SOCK_STREAM, 0);
                if (connect(link, found->ai_addr, found->ai_addrlen)) return 3;
                static const char request[] = "GET / HTTP/1.0\\r\\nHost: shop.test\\r\\n\\r\\n";
                if (write(link, request, sizeof request - 1) < 0) return 4;
                while (read(link, answer, sizeof answer) > 0) {}
                getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, 0, 0, NI_NUMERICHOST);
                return octet(text, count > 1) < 0;
            }
            """

        @Test(arguments: User.available) func `a program that ends itself, or crashes, has the line`(_ user: User)
            throws
        {
            let folder = try SuiteFolder("", files: ["client.c": Self.c])
            let built = try folder.bash("cc -g -O1 -fno-inline -o client client.c")
            try #require(built.status == 0, built.told)
            let ended = try folder.command(["./client"], as: user)
            #expect(
                ended.standardError.contains("It ended itself, with exit code 9, in octet (client.c:16)."), ended.told)
            let crashed = try folder.command(["sh", "-c", "./client crash"], as: user)
            #expect(crashed.standardError.contains("It crashed in octet (client.c:15)."), crashed.told)
        }

        @Test func `process.exit of Node is such an end`() throws {
            let folder = try SuiteFolder(
                "",
                files: [
                    "client.js": """
                    const socket = require("net").connect(80, "shop.test", () => socket.write("GET / HTTP/1.0\\r\\n\\r\\n"));
                    socket.on("data", () => {});
                    socket.on("close", () => check(socket.peer));
                    socket.on("connect", () => { socket.peer = socket.remoteAddress; });
                    function check(address) {
                      if (!/^[0-9.]+$/.test(address)) {
                        console.error("strange peer");
                        process.exit(4);
                      }
                    }
                    """
                ])
            let output = try folder.command(["node", "client.js"])
            #expect(
                output.standardError.contains("It ended itself, with exit code 4, in check (client.js:8)."), output.told
            )
        }

        // MARK: - Words

        private static let ends = [
            (
                "python3 client.py", "client.py:5",
                """
                import socket, sys
                peer = socket.create_connection(("echo.test", 7)).getpeername()[0]
                print("the peer is", peer)
                if ":" in peer:
                    sys.exit(f"mirror: cannot use {peer} as a key")
                """
            ),
            (
                "ruby client.rb", "client.rb:3",
                """
                require "socket"
                peer = TCPSocket.new("echo.test", 7).peeraddr[3]
                abort "mirror: cannot use #{peer} as a key" if peer.include? ":"
                """
            ),
            (
                "bash client.sh", "client.sh:5",
                """
                exec 3<>/dev/tcp/echo.test/7 || exit 3
                peer=$(getent ahosts echo.test | head -n 1 | cut -d " " -f 1)
                case $peer in
                    *.*.*.*) ;;
                    *) echo mirror: cannot use $peer as a key >&2; exit 4 ;;
                esac
                """
            ),
            (
                "./client", "client.c:12",
                """
                #include <netdb.h>
                #include <stdio.h>
                #include <string.h>
                #include <sys/socket.h>
                int main(void) {
                    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
                    char text[NI_MAXHOST];
                    if (getaddrinfo("echo.test", "7", &hints, &found)) return 2;
                    if (connect(socket(found->ai_family, SOCK_STREAM, 0), found->ai_addr, found->ai_addrlen)) return 3;
                    getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, 0, 0, NI_NUMERICHOST);
                    if (!strchr(text, ':')) return 0;
                    fprintf(stderr, "mirror: cannot use %s as a key\\n", text);
                    return 1;
                }
                """
            ),
        ]

        @Test(arguments: ends)
        func `the last words of a program that ends without a stack have their line`(
            command: String, place: String, source: String
        ) throws {
            let folder = try SuiteFolder("", files: [String(place.prefix { $0 != ":" }): source])
            if command == "./client" {
                let built = try folder.bash("cc -g -o client client.c")
                try #require(built.status == 0, built.told)
            }
            let output = try folder.command(command.split(separator: " ").map(String.init))
            #expect(
                output.standardError.contains(
                    "Its last words, \"mirror: cannot use 64:ff9b::c633:6407 as a key\", are from \(place)."),
                output.told)
        }

        // MARK: - Cancelled

        @Test(arguments: ["TERM", "INT"]) func `a pass is reported, even if its second run is cancelled`(
            _ signal: String
        ) throws {
            let folder = try folder()
            let script = """
                env --default-signal=INT '\(Binaries.ipv6check)' --json report.json sh -c '[ ! -e ran ] || { touch again; exec sleep 60; }; touch ran' &
                until [ -e again ]; do sleep 0.05; done
                kill -\(signal) $!; wait $!; echo $?
                """
            let program =
                "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])"
            let output = try run(
                ["env", "-C", folder.path, "--default-signal", "python3", "-c", program, "bash", "-c", script],
                seconds: 30)
            #expect(output.text == (signal == "TERM" ? "143\n" : "130\n"), output.told)
            #expect(output.standardError.contains("PASS"), output.told)
            #expect(output.standardError.contains("It passed before it was cancelled"), output.told)
            #expect(try folder.json("report.json")["verdict"] != nil)
        }
    }
}
