// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A traced call has returned, was interrupted by a signal, or is unfinished; it is reported with the line that made it.
    @Suite struct UnfinishedCallTests {
        /// All packets are lost, so a connecting client waits until its time is over.
        private static let silent = ["--timeout", "3", "--control", "never", "--conditions", "loss=100%"]
        private static let address = "64:ff9b::198.51.100.10"

        private func check(_ name: String, _ source: String, _ command: [String], environment: [String: String] = [:])
            throws -> Output
        {
            let folder = try SuiteFolder("", files: name.isEmpty ? [:] : [name: source])
            let words = command.map { $0 == name ? folder.path(name) : $0 }
            return try run(
                [Binaries.ipv6check] + Self.silent + ["--trace", "always", "--once", "--"] + words,
                environment: environment)
        }

        private func built(_ source: String) throws -> String {
            let folder = try SuiteFolder("", files: ["client.c": source])
            let product = Binaries.scratch.appending(path: UUID().uuidString).path
            let build = try folder.bash("cc -g -o \(product) client.c")
            try #require(build.status == 0, build.told)
            return product
        }

        private static let c = """
            #include <arpa/inet.h>
            #include <signal.h>
            #include <sys/socket.h>
            #include <unistd.h>
            static void heard(int number) { (void)number; }
            static int fetch(void) {
                struct sockaddr_in6 peer = {.sin6_family = AF_INET6, .sin6_port = htons(80)};
                inet_pton(AF_INET6, "64:ff9b::198.51.100.10", &peer.sin6_addr);
                return connect(socket(AF_INET6, SOCK_STREAM, 0), (struct sockaddr *)&peer, sizeof peer);
            }
            int main(void) {
                struct sigaction action = {.sa_handler = heard, .sa_flags = FLAGS};
                sigaction(SIGALRM, &action, 0);
                // The test runner may have blocked it.
                sigset_t none;
                sigemptyset(&none);
                sigprocmask(SIG_SETMASK, &none, 0);
                alarm(SECONDS);
                return fetch() != 0;
            }
            """

        private func client(flags: String, seconds: Int) throws -> String {
            try built(
                Self.c.replacingOccurrences(of: "FLAGS", with: flags)
                    .replacingOccurrences(of: "SECONDS", with: "\(seconds)"))
        }

        @Test(arguments: User.available) func `a connection that never returns has its line`(_ user: User) throws {
            let source = """
                import socket
                def fetch():
                    s = socket.socket(socket.AF_INET6)
                    s.connect(("\(Self.address)", 80))
                fetch()
                """
            let folder = try SuiteFolder("", files: ["hang.py": source])
            let output = try run(
                [Binaries.ipv6check] + Self.silent + ["python3", folder.path("hang.py")], as: user)
            #expect(output.says("unfinished in fetch", at: "hang.py:4"), output.told)
            #expect(output.standardError.contains("hang.py:4"), output.told)
        }

        @Test func `in C, too, and where a signal's handler has it begin again`() throws {
            for client in [try client(flags: "0", seconds: 0), try client(flags: "SA_RESTART", seconds: 1)] {
                let output = try check("", "", [client])
                #expect(output.says("unfinished in fetch", at: "client.c:9"), output.told)
                #expect(!output.standardError.contains("EINTR"), output.told)
            }
        }

        @Test func `in Perl`() throws {
            let source = """
                use Socket qw(:all);
                sub fetch {
                    socket(my $s, AF_INET6, SOCK_STREAM, 0);
                    connect($s, pack_sockaddr_in6(80, inet_pton(AF_INET6, "\(Self.address)")));
                }
                fetch();
                """
            let output = try check("hang.pl", source, ["perl", "hang.pl"])
            #expect(output.standardError.contains("unfinished in"), output.told)
            #expect(output.standardError.contains("hang.pl:4"), output.told)
        }

        @Test func `a connection that a signal interrupts says so`() throws {
            let source = """
                import socket, signal
                class T(Exception): pass
                def h(*a): raise T()
                signal.signal(signal.SIGALRM, h)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
                def fetch():
                    s = socket.socket(socket.AF_INET6)
                    signal.alarm(1)
                    s.connect(("\(Self.address)", 80))
                fetch()
                """
            let output = try check("alarm.py", source, ["python3", "alarm.py"])
            #expect(output.says("EINTR in fetch", at: "alarm.py:9"), output.told)
            let inC = try check("", "", [try client(flags: "0", seconds: 1)])
            #expect(inC.says("EINTR in fetch", at: "client.c:9"), inC.told)
        }

        @Test func `the end of a connection is not that of the next socket with its number`() throws {
            let source = """
                import socket
                s = socket.socket(socket.AF_INET6); s.setblocking(False)
                try: s.connect(("\(Self.address)", 80))
                except BlockingIOError: pass
                n = s.fileno(); s.close()
                u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); assert u.fileno() == n
                u.connect(("\(Self.address)", 9))
                u.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                raise SystemExit(1)
                """
            let output = try check("reuse.py", source, ["python3", "reuse.py"])
            #expect(!output.standardError.contains("port 80, addrlen 28) → 0"), output.told)
        }

        @Test func `a call has its own line, and not that of one before that is not recorded`() throws {
            let source = """
                import os, socket
                def control_socket():
                    s = socket.socket(socket.AF_UNIX)
                    s.bind("\\0probe")
                    s.listen()
                    return s
                def through_proxy():
                    socket.socket(socket.AF_UNIX).connect(os.environ["SOCK"])
                k = control_socket()
                through_proxy()
                raise SystemExit(1)
                """
            let folder = try SuiteFolder("", files: ["stale.py": source])
            // Short enough for a socket's address.
            let path = "/tmp/my-proxy-\(getpid()).sock"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let server = try Process.run(
                URL(filePath: "/usr/bin/env"),
                arguments: [
                    "python3", "-c",
                    "import socket, time, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); time.sleep(30)",
                    path,
                ])
            defer { server.terminate() }
            for _ in 0..<200 where !FileManager.default.fileExists(atPath: path) { usleep(20_000) }
            let output = try run(
                [Binaries.ipv6check, "--trace", "always", "--once", "python3", folder.path("stale.py")],
                environment: ["SOCK": path])
            #expect(output.says("in through_proxy", at: "stale.py:8"), output.told)
            #expect(!output.standardError.contains("stale.py:5"), output.told)
        }
    }
}

extension Output {
    /// Whether a line of the report has the call and its source line, in any folder.
    fileprivate func says(_ call: String, at place: String) -> Bool {
        standardError.split(separator: "\n").contains { $0.contains("\(call) (") && $0.contains("/\(place))") }
    }
}
