import Foundation
import Testing

/// Nothing is left on the machine, however a run ends.
@Suite(needsNetwork, .serialized) struct LeftoverTests {
    /// What could be left: namespaces, processes, interfaces, mounts and temporary files.
    private struct Machine: Equatable {
        var namespaces: Set<String>
        var interfaces: Set<String>
        var mounts: Int
        var temporaryFiles: Set<String>

        static func look() throws -> Machine {
            let list = try run(["lsns", "-n", "-r", "-o", "NS,TYPE"]).text
            let namespaces = list.split(separator: "\n").filter {
                $0.hasSuffix("net") || $0.hasSuffix("user") || $0.hasSuffix("mnt")
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
            return Machine(
                namespaces: Set(namespaces.map(String.init)),
                interfaces: Set(try FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")),
                mounts: try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n").count,
                temporaryFiles: Set(
                    files.filter {
                        !$0.hasPrefix("ipv6check-tests") && !$0.hasPrefix("ipv6check-output")
                            && $0.contains("ipv6check")
                    }))
        }
    }

    /// Starts a client that puts a grandchild in the background, sends `signal` to the runner, and looks what remains.
    private func leftAfter(_ signal: String, client: String, toGroup: Bool, user: User) throws -> String {
        let marker = "ipv6check-leftover-\(UInt32.random(in: 0 ... .max))"
        let script = """
            setsid "$0" -- sh -c '\(client.replacing("MARKER", with: marker))' >/dev/null 2>&1 &
            runner=$!
            for _ in $(seq 100); do pgrep -f '[s]leep 3[0-9][0-9] *# *\(marker)|\(marker)' >/dev/null && break; sleep 0.05; done
            sleep 0.3
            kill -\(signal) \(toGroup ? "-- -" : "")$runner 2>/dev/null
            for _ in $(seq 60); do pgrep -f '\(marker)' >/dev/null || break; sleep 0.05; done
            pgrep -af '\(marker)' | grep -v pgrep || true
            """
        let path = Binaries.scratch.appending(path: "\(marker.dropFirst(10)).sh")
        try Data(script.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try run(["bash", "-c", script, Binaries.ipv6check], as: user, seconds: 30).text
    }

    @Test(arguments: User.available) func aNormalEndLeavesNothing(_ user: User) throws {
        let before = try Machine.look()
        expectPass(try ipv6check("curl", "-fsS", "https://shop.test/", as: user))
        #expect(try Machine.look() == before)
    }

    @Test(arguments: User.available) func aClientThatLeavesADaemonBehindIsTidiedUp(_ user: User) throws {
        let before = try Machine.look()
        let marker = "3\(UInt16.random(in: 10000...50000))"
        let output = try ipv6check("sh", "-c", "setsid sh -c 'sleep \(marker) & exit' & exit 0", as: user)
        expectPass(output)
        #expect(try run(["pgrep", "-f", "sleep \(marker)"]).text.isEmpty)
        #expect(try Machine.look() == before)
    }

    @Test(arguments: User.available) func killingTheRunnerLeavesNothing(_ user: User) throws {
        let before = try Machine.look()
        let client = "setsid sleep 300.MARKER & trap \"\" TERM INT; while :; do sleep 1; done; : MARKER"
        let left = try leftAfter("KILL", client: client, toGroup: false, user: user)
        #expect(left.isEmpty, Comment(rawValue: left))
        #expect(try Machine.look() == before)
    }

    @Test(arguments: User.available) func anInterruptLeavesNothing(_ user: User) throws {
        let before = try Machine.look()
        let left = try leftAfter("INT", client: "exec sleep 300 # MARKER", toGroup: true, user: user)
        #expect(left.isEmpty, Comment(rawValue: left))
        #expect(try Machine.look() == before)
    }
}
