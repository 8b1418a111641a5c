// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check suite --simulator`.
    @Suite struct SuiteDaemonTests {
        private func folder(_ head: String = "") throws -> URL {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            let text = """
                version: 1
                \(head)
                tests:
                  - { name: name, command: [curl, -fsS, "http://shop.test/"], networks: [nat64, dual-stack] }
                  - { name: literal, command: [curl, -fsS, "http://198.51.100.10/"] }
                  - { name: port, command: 'python3 -c "import socket; socket.create_server((\\"::\\", 8080), family=socket.AF_INET6)"', offline: true }

                """
            try Data(text.utf8).write(to: folder.appending(path: "ipv6check.yaml"))
            return folder
        }

        private func suite(_ folder: URL, _ options: [String], environment: [String: String] = [:]) throws -> Output {
            try run(["env", "-C", folder.path, Binaries.ipv6check, "suite"] + options, environment: environment)
        }

        @Test func `all cases of a suite are clients of one daemon`() throws {
            let daemon = try RunningDaemon()
            defer { daemon.end() }
            let socket = "unix:\(daemon.folder.path)/attach.sock"
            for (options, environment) in [(["--simulator", socket], [:]), ([], ["IPV6CHECK_SIMULATOR": socket])] {
                let output = try suite(try folder(), options, environment: environment)
                #expect(output.status == 1, Comment(rawValue: output.standardError))
                #expect(
                    output.standardError.contains("4 cases: 3 passed, 1 failed"),
                    Comment(rawValue: output.standardError))
                #expect(output.standardError.contains("V6C-001 198.51.100.10"))
            }
            // Six client runs per suite: the literal runs twice on nat64 and once on dual-stack.
            let attached = daemon.log.components(separatedBy: "event=client-attached").count - 1
            #expect(attached == 12, Comment(rawValue: daemon.log))
        }

        @Test func `a suite with a world of its own, or without the daemon, is told so`() throws {
            let own = try folder("world: world.yaml")
            try Data("version: 1\nhosts: { shop.test: { addresses: [198.51.100.10], services: http } }\n".utf8)
                .write(to: own.appending(path: "world.yaml"))
            let refused = try suite(own, ["--simulator", "unix:/nowhere"])
            #expect(refused.status == 2)
            #expect(
                refused.standardError.contains(
                    "the suite has a world of its own, and --simulator unix:/nowhere has another"))
            #expect(
                try suite(own, ["--simulator", "own"], environment: ["IPV6CHECK_SIMULATOR": "unix:/x"]).status == 1)
            let gone = try suite(try folder(), ["--simulator", "unix:/nowhere"])
            #expect(gone.status == 5)
            #expect(gone.standardError.contains("/nowhere"))
        }
    }
}
