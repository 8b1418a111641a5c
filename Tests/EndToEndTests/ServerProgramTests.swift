// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Programs of this machine as servers of a world, such as a real sshd.
    @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd"), "needs openssh-server"))
    struct ServerProgramTests {
        /// A world with an sshd, and an ssh whose key it accepts.
        private struct SecureShell {
            let folder = Binaries.scratch.appending(path: "sshd-\(UUID().uuidString)")
            var world: String { folder.appending(path: "world.yaml").path }

            init() throws {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                for key in ["host", "user"] {
                    let made = try run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.path + "/" + key])
                    try #require(made.status == 0, Comment(rawValue: made.standardError))
                }
                try Data(
                    """
                    HostKey \(folder.path)/host
                    AuthorizedKeysFile \(folder.path)/user.pub
                    PidFile none
                    StrictModes no
                    UsePAM no

                    """.utf8
                ).write(to: folder.appending(path: "sshd_config"))
                // As root, sshd needs a folder that distributions create at boot.
                let start = getuid() == 0 ? "mount -t tmpfs tmpfs /run && mkdir /run/sshd && " : ""
                let shell = getuid() == 0 ? "unshare, -m, sh, -c" : "sh, -c"
                try Data(
                    """
                    version: 1
                    hosts:
                      ssh.test:
                        addresses: [198.51.100.22]
                        services:
                          run:
                            port: 22
                            command: [\(shell), "\(start)exec /usr/sbin/sshd -i -f \(folder.path)/sshd_config"]
                    """.utf8
                ).write(to: URL(filePath: world))
            }

            func command(_ host: String) -> [String] {
                [
                    "ssh", "-F", "none", "-i", folder.path + "/user", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
                    "-o", "UserKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR",
                    "-o", "ConnectTimeout=10", host, "cat; echo $SSH_CONNECTION",
                ]
            }
        }

        @Test func `ssh logs in by name`() throws {
            let server = try SecureShell()
            let output = try run(
                [Binaries.ipv6check, "--world", server.world, "--"] + server.command("ssh.test"),
                input: Data("through the NAT64\n".utf8))
            expectPass(output)
            let lines = output.text.split(separator: "\n")
            #expect(lines.first == "through the NAT64")
            #expect(lines.last?.hasPrefix("192.0.2.") == true && lines.last?.hasSuffix(" 198.51.100.22 22") == true)
        }

        /// OpenSSH looks the literal up with AI_NUMERICHOST, for which no system synthesises.
        @Test func `ssh by literal fails here and on Apple's systems`() throws {
            let server = try SecureShell()
            let output = try run(
                [Binaries.ipv6check, "--world", server.world, "--"] + server.command("198.51.100.22"), input: Data())
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("AI_NUMERICHOST"), Comment(rawValue: output.standardError))
        }

        /// Programs behind TLS, for a UDP socket, and for the whole run.
        @Test(arguments: User.available) func `programs of every manner, of an own simulator and of a daemon`(
            user: User
        ) throws {
            let folder = Binaries.scratch.appending(path: "manners-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let world = folder.appending(path: "world.yaml")
            try Data(
                """
                version: 1
                hosts:
                  mail.test:
                    addresses: [198.51.100.30]
                    services:
                      - run: { port: 993, tls: true, command: [sh, -c, "echo '* OK ready'; exec cat"] }
                      - run: { port: 69, udp: true, command: [python3, \(folder.path)/datagrams.py] }
                      - run: { port: 8080, lives: run, command: [python3, \(folder.path)/web.py] }
                """.utf8
            ).write(to: world)
            try Data(
                """
                import socket
                server = socket.socket(fileno=0)
                while True:
                    octets, peer = server.recvfrom(9999)
                    server.sendto(octets[::-1], peer)
                """.utf8
            ).write(to: folder.appending(path: "datagrams.py"))
            try Data(
                """
                import http.server, os
                place = os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])
                http.server.HTTPServer(place, http.server.SimpleHTTPRequestHandler).serve_forever()
                """.utf8
            ).write(to: folder.appending(path: "web.py"))
            let client = """
                import socket, ssl, urllib.request
                plain = socket.create_connection(("mail.test", 993))
                link = ssl.create_default_context().wrap_socket(plain, server_hostname="mail.test")
                print(link.recv(100)); link.sendall(b"hello"); print(link.recv(100)); link.close()
                place = socket.getaddrinfo("mail.test", 69, socket.AF_INET6)[0][4]
                datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); datagrams.settimeout(5)
                datagrams.sendto(b"abc", place); print(datagrams.recv(100))
                print(urllib.request.urlopen("http://mail.test:8080/").status)
                """
            let daemon = try RunningDaemon("world: \(world.path)", as: user)
            defer { daemon.end() }
            for simulator in [["--world", world.path], ["--simulator", "unix:\(daemon.folder.path)/attach.sock"]] {
                let output = try run(
                    [Binaries.ipv6check, "--control", "never"] + simulator + ["--", "python3", "-c", client], as: user)
                expectPass(output)
                #expect(output.text == "b'* OK ready\\n'\nb'hello'\nb'cba'\n200\n", output.told)
            }
        }

        /// A world that cannot be set up is an error of the machine, with its reason; the client does not run.
        @Test(
            arguments: User.available,
            [
                ("[sh, -c, 'exit 3']", "its program ended before it was ready (exit 3)"),
                ("[no-such-server]", "no-such-server: No such file or directory"),
            ])
        func `a program for the whole run that does not serve is told`(
            user: User, program: (command: String, reason: String)
        ) throws {
            let world = Binaries.scratch.appending(path: "world-\(UUID().uuidString).yaml")
            try Data(
                """
                version: 1
                hosts:
                  files.test:
                    addresses: [198.51.100.30]
                    services: [http, { run: { port: 8080, lives: run, command: \(program.command) } }]
                """.utf8
            ).write(to: world)
            let output = try run([Binaries.ipv6check, "--world", world.path, "--", "echo", "ran"], as: user)
            #expect(output.status == 5, output.told)
            #expect(output.text.isEmpty, output.told)
            #expect(
                output.standardError.contains(
                    "cannot offer run of files.test. at 198.51.100.30 port 8080: \(program.reason)"), output.told)
        }
    }
}
