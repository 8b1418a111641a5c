// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Start, reload and end of a daemon.
    @Suite struct DaemonLifeTests {
        /// The signal may come at any moment: the daemon is killed by it before it has created anything, or shuts down cleanly.
        @Test func `a signal during the start leaves nothing behind`() throws {
            let folder = Binaries.scratch.appending(path: "starting-\(UUID().uuidString.prefix(8))").path
            let output = try run([
                "sh", "-c",
                """
                mkdir \(folder)
                for delay in 0.005 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1 0.12 0.15 0.2 0.3; do
                    \(Binaries.nat64sim) serve --sockets \(folder) 2>\(folder)/log & daemon=$!
                    sleep $delay
                    kill -TERM $daemon
                    wait $daemon
                    echo $?
                    rm \(folder)/log
                    ls -A \(folder)
                done
                """,
            ])
            let lines = Set(output.text.split(separator: "\n"))
            #expect(lines.isSubset(of: ["0", "143"]), Comment(rawValue: output.text + output.standardError))
            #expect(lines.contains("0"))
        }

        @Test func `a SIGHUP during the start is a reload after it`() throws {
            let folder = Binaries.scratch.appending(path: "hangup-\(UUID().uuidString.prefix(8))").path
            let output = try run([
                "sh", "-c",
                """
                mkdir \(folder)
                echo 'version: 1' >\(folder)/c.yaml
                \(Binaries.nat64sim) serve --sockets \(folder) --config \(folder)/c.yaml 2>\(folder)/log & daemon=$!
                for i in $(seq 200); do [ -e \(folder)/attach.sock ] && break; sleep 0.005; done
                kill -HUP $daemon
                for i in $(seq 100); do grep -q 'configuration reloaded' \(folder)/log && break; sleep 0.1; done
                kill -TERM $daemon
                wait $daemon
                echo $?
                cat \(folder)/log
                """,
            ])
            #expect(output.text.hasPrefix("0\n"), Comment(rawValue: output.text))
            #expect(output.text.contains("configuration reloaded"))
        }

        @Test func `a reader of the folder who locks it keeps no daemon from starting`() throws {
            let first = try RunningDaemon()
            first.end()
            let locked = first.folder.appending(path: "locked").path
            let reader = try Process.start(
                (getuid() == 0 ? ["setpriv", "--reuid=1001", "--regid=1001", "--clear-groups", "--"] : []) + [
                    "flock", "--exclusive", first.folder.path, "sh", "-c", "touch \(locked); sleep 30",
                ], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
            defer { reader.terminate() }
            try #require(comesTrue { FileManager.default.fileExists(atPath: locked) })
            let before = ContinuousClock.now
            let second = try RunningDaemon(in: first.folder)
            #expect(second.end() == 0)
            #expect(ContinuousClock.now - before < .seconds(10))
        }

        @Test func `records and the log change without a restart, and what does not is named by its key`() throws {
            func world(_ records: String, _ host: String = "") -> String {
                "version: 1\nhosts: { a.test: { addresses: [198.51.100.1], services: [http] }\(host) }\n"
                    + "records: [\(records)]\n"
            }
            let file = Binaries.scratch.appending(path: "reloaded-world.yaml")
            try Data(world("b.test 60 A 198.51.100.1").utf8).write(to: file)
            let daemon = try RunningDaemon("world: \(file.path)\nclients: { most: 2 }")
            expectPass(try daemon.check("curl", "-fsS", "http://b.test/"))
            #expect(try daemon.check("-q", "curl", "-fsS", "http://c.test/").status != 0)

            try Data(world("c.test 60 A 198.51.100.1").utf8).write(to: file)
            try daemon.write("world: \(file.path)\nclients: { most: 3 }\nlog: { level: debug, format: json }")
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog(#""event":"reloaded""#), Comment(rawValue: daemon.log))
            #expect(daemon.log.contains("clients: most: restart required"))
            #expect(!daemon.log.contains("world: "))
            expectPass(try daemon.check("curl", "-fsS", "http://c.test/"))
            #expect(try daemon.check("-q", "curl", "-fsS", "http://b.test/").status != 0)

            try Data(world("d.test 60 A 198.51.100.2", ", n.test: { addresses: [198.51.100.2] }").utf8).write(to: file)
            daemon.send(SIGHUP)
            #expect(daemon.waitForLog("world: hosts: n.test"), Comment(rawValue: daemon.log))
            #expect(daemon.waitForLog("world: records: restart required"))
            expectPass(try daemon.check("curl", "-fsS", "http://c.test/"))
        }

        @Test func `reloading in the middle of many attachments harms none`() throws {
            let daemon = try RunningDaemon("prefix: 64:ff9b::/96")
            let one = "\(Binaries.ipv6check) -q --simulator unix:\(daemon.folder.path)/attach.sock"
            let output = try run(
                [
                    "sh", "-c",
                    """
                    for i in $(seq 48); do { \(one) curl -fsS http://shop.test/ >/dev/null; echo $?; } & done
                    for i in $(seq 10); do kill -HUP \(daemon.processIdentifier); sleep 0.2; done
                    wait
                    """,
                ], seconds: 120)
            #expect(output.text == String(repeating: "0\n", count: 48), Comment(rawValue: output.standardError))
            #expect(daemon.end() == 0)
        }
    }
}
