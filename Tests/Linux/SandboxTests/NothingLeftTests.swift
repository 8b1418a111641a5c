// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing

@testable import Sandbox

/// However a run ends, it leaves no process, namespace, interface, mount or file.
@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `Nothing is left` {
    /// Shell for a descendant that avoids being ended: in its own session, without a parent, ignoring signals.
    static let daemon = "(setsid sh -c 'trap \"\" TERM INT HUP QUIT; (sleep 1000 & sleep 1000)' >/dev/null 2>&1 &)"
    static let names = "readlink /proc/self/ns/net /proc/self/ns/mnt /proc/self/ns/user"

    /// The state before a run: the machine's interfaces and temporary files, and the test's own namespaces.
    struct Scene {
        let interfaces: [String]
        let ownNamespaces: Set<String>
        let folder: [String]

        init() throws {
            interfaces = try Self.interfaces()
            ownNamespaces = Set(try ["net", "mnt", "user"].map { try readLink("/proc/self/ns/\($0)") })
            folder = try Self.temporaryFiles()
        }

        static func interfaces() throws -> [String] {
            try readFile("/proc/net/dev").split(separator: "\n").compactMap {
                $0.split(separator: ":").first.map(String.init)
            }
        }

        /// Files that bear our name.
        static func temporaryFiles() throws -> [String] {
            guard let folder = unsafe opendir("/tmp") else { return [] }
            defer { unsafe closedir(folder) }
            var names: [String] = []
            while let entry = unsafe readdir(folder) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
                }
                if name.contains("ipv6check") { names.append(name) }
            }
            return names.sorted()
        }

        /// Checks that everything is as it was, once the dying have died.
        func check(_ probe: Probe, namespaces: some Sequence<String>) throws {
            try eventually("the end of processes \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
            #expect(try Self.interfaces() == interfaces)
            #expect(try !readFile("/proc/self/mountinfo").contains("ipv6check"))
            #expect(try Self.temporaryFiles() == folder)
            let gone = Set(namespaces).subtracting(ownNamespaces)
            #expect(gone.count >= 2, "a network and a mount namespace of its own")
            // The kernel gives a number again, so another test may have one of them for a moment.
            try eventually("the end of the namespaces \(gone)") {
                let present = processes().flatMap { process in
                    ["net", "mnt", "user"].compactMap { try? readLink("/proc/\(process)/ns/\($0)") }
                }
                return gone.isDisjoint(with: present) ? () : nil
            }
        }
    }

    @Test(arguments: Account.all)
    func `after a client that has ended`(account: Account) throws {
        let scene = try Scene()
        let probe = try Probe(["--", "sh", "-c", Self.names], account: account)
        let result = try probe.result()
        #expect(result.code == 0)
        // All of it is gone when the runner is; there is nothing to wait for.
        #expect(probe.survivors() == [])
        try scene.check(probe, namespaces: result.lines)
    }

    @Test(arguments: Account.all)
    func `after a client that has left daemons behind`(account: Account) throws {
        let scene = try Scene()
        let probe = try Probe(
            ["--", "sh", "-c", "\(Self.daemon); \(Self.daemon); \(Self.names); exit 4"], account: account)
        let result = try probe.result()
        #expect(result.code == 4)
        #expect(probe.survivors() == [])
        try scene.check(probe, namespaces: result.lines)
    }

    @Test(arguments: Account.all)
    func `after the terminal's interrupt`(account: Account) throws {
        let scene = try Scene()
        let probe = try Probe(["--", "sh", "-c", "\(Self.daemon); \(Self.names); sleep 1000"], account: account)
        let lines = try eventually("the namespaces' names") {
            let said = try probe.said()
            return said.count == 3 ? said : nil
        }
        // A shell takes no notice of an interrupt while it waits for a child that does not die of it.
        try eventually("the client's end") {
            kill(-probe.process, SIGINT)
            return try probe.hasEnded() ? () : nil
        }
        #expect(try probe.result().code == 128 + SIGINT)
        #expect(probe.survivors() == [])
        try scene.check(probe, namespaces: lines)
    }

    @Test(arguments: Account.all)
    func `after the runner was killed`(account: Account) throws {
        let scene = try Scene()
        let script = "trap '' TERM INT HUP; \(Self.daemon); \(Self.names); echo ready; while :; do sleep 1000; done"
        let probe = try Probe(["--", "sh", "-c", script], account: account)
        let lines = try probe.waitFor("ready")
        #expect(probe.survivors().count >= 5)
        kill(probe.process, SIGKILL)
        #expect(try probe.result().code == 128 + SIGKILL)
        try scene.check(probe, namespaces: lines.dropLast())
    }

    @Test(arguments: Account.all)
    func `after the runner was killed before the client ran`(account: Account) throws {
        let scene = try Scene()
        for delay in stride(from: UInt32(500), to: 8000, by: 500) {
            let probe = try Probe(["--", "sleep", "1000"], account: account)
            usleep(delay)
            kill(probe.process, SIGKILL)
            _ = try probe.result()
            try scene.check(probe, namespaces: ["net:[0]", "mnt:[0]"])
        }
    }

    @Test(arguments: Account.all)
    func `of two hundred children that fork while they are ended`(account: Account) throws {
        let script = "i=0; while [ $i -lt 200 ]; do (while :; do (sleep 0.01); done) & i=$((i+1)); done; exit 0"
        let probe = try Probe(["--", "sh", "-c", script], account: account)
        #expect(try probe.result().code == 0)
        #expect(probe.survivors() == [])
    }
}
