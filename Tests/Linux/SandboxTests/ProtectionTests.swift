// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxNet
import Testing
import Wire

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `A client in a PID namespace` {
    @Test(arguments: Account.all)
    func `can neither kill nor stop its keeper`(account: Account) throws {
        let script = "setsid sleep 7774 & kill -9 $PPID; kill -STOP $PPID; kill -9 -1; exit 6"
        let probe = try Probe(["--", "bash", "-c", script], account: account)
        let result = try probe.result()
        #expect(result.code == 6)
        #expect(result.errors.contains("protection: namespace\n"))
        #expect(probe.survivors() == [])
    }

    @Test(arguments: Account.all)
    func `sees its own processes and no other`(account: Account) throws {
        let result = try Probe(
            ["--", "sh", "-c", "echo /proc/[0-9]*; echo $$ $PPID; cat /proc/1/comm"], account: account
        ).result()
        #expect(result.lines == ["/proc/1 /proc/2", "2 1", "keeper"])
    }

    @Test(arguments: Account.all)
    func `cannot trace its keeper`(account: Account) throws {
        if account == .this { return }
        let result = try Probe(["--", "readlink", "/proc/1/exe"], account: account).result()
        #expect(result.code == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `is ended with all of its children where it hides proc`() throws {
        let script = "mount -t tmpfs none /proc; for i in 1 2 3; do setsid sleep 1000 & done; exit 7"
        let probe = try Probe(["--", "sh", "-c", script])
        #expect(try probe.result().code == 7)
        #expect(probe.survivors() == [])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `is ended with a fork bomb that it has left behind`() throws {
        // The shell waits by itself: for a program the bomb may have left no process.
        let script = """
            ulimit -u 300; (f() { f | f & }; f) 2>/dev/null
            end=$((${EPOCHREALTIME/[.,]/} + 300000)); while ((${EPOCHREALTIME/[.,]/} < end)); do :; done; exit 3
            """
        let probe = try Probe(["--", "bash", "-c", script], account: .nobody)
        #expect(try probe.result().code == 3)
        #expect(probe.survivors() == [])
    }

    @Test(arguments: Account.all)
    func `finds within itself a PID namespace for another`(account: Account) throws {
        let twice = try Probe(["--"], account: account, shell: #""$@" "$1" -- sh -c 'echo $$ $PPID; exit 9'"#)
        let result = try twice.result()
        #expect(result.code == 9)
        #expect(result.lines == ["2 1"])
        #expect(result.errors.split(separator: "\n").filter { $0 == "protection: namespace" }.count == 2)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `finds what was mounted below proc to hide a file`() throws {
        let probe = try Probe(["--", "sh", "-c", "cat /proc/version; echo $$"], shell: Self.masked("\"$@\""))
        let result = try probe.result()
        #expect(result.lines == ["2"])
        #expect(result.errors.contains("protection: namespace\n"))
    }

    /// Shell for a place in which something is mounted below /proc, as container engines do it.
    static func masked(_ command: String) -> String {
        #"exec unshare -m sh -c 'mount --bind /dev/null /proc/version && exec "# + command + #"' sh "$@""#
    }
}

/// Where something is mounted below /proc, the kernel shows no new one to a user namespace.
@Suite(
    .enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"),
    .enabled(if: geteuid() == 0, "needs root to prepare"))
struct `A client without a PID namespace` {
    static func probe(_ script: String, _ options: String...) throws -> Probe {
        let words = Account.nobody.words.joined(separator: " ")
        return try Probe(
            options + ["--", "bash", "-c", script], shell: `A client in a PID namespace`.masked(words + #" "$@""#))
    }

    @Test func `runs, and the runner knows that its protection is weaker`() throws {
        let probe = try Self.probe("setsid sleep 1000 & exit 4")
        let result = try probe.result()
        #expect(result.code == 4)
        #expect(result.errors.contains("protection: the client has no PID namespace"))
        #expect(result.errors.contains("survivors: sleep "))
        #expect(probe.survivors() == [])
    }

    @Test(arguments: [("kill -STOP 0", 124), ("kill -KILL 0", 137)] as [(String, Int32)])
    func `that stops or kills its process group reaches nobody else`(script: String, code: Int32) throws {
        let probe = try Self.probe("setsid sleep 1000 & \(script); sleep 1000", "deadline=2000")
        let result = try probe.result()
        #expect(result.code == code)
        #expect(probe.survivors() == [])
    }

    @Test func `ends where it has stopped its keeper and the guard`() throws {
        let probe = try Self.probe(
            "setsid sleep 1000 & kill -STOP $PPID $(ps -o ppid= -p $PPID); sleep 1000", "deadline=1000")
        #expect(try probe.result().code == 124)
        try eventually("the end of \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
    }

    /// As a CI service ends a job.
    @Test func `ends where the runner is killed with its process group`() throws {
        let probe = try Self.probe("setsid sleep 1000 & echo ready; sleep 1000")
        _ = try probe.waitFor("ready")
        kill(-probe.process, SIGKILL)
        try eventually("the end of \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
    }

    @Test(arguments: ["KILL", "STOP"])
    func `ends with all that it has left behind when it has killed or stopped its keeper`(signal: String) throws {
        let start = MonotonicClock.now()
        let probe = try Self.probe("(setsid sleep 1000 &); kill -\(signal) $PPID; sleep 1000")
        let result = try probe.result()
        #expect(result.code == 125)
        #expect(result.errors.contains("lost\n"))
        #expect(MonotonicClock.now() - start < .seconds(20))
        try eventually("the end of \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
    }
}

/// A control group that belongs to `nobody`, as service managers and container engines delegate one.
private struct DelegatedGroup: ~Copyable {
    static let mount = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
        FileManager.default.isWritableFile(atPath: "\($0)/cgroup.procs")
    }
    let path: String

    init(in mount: String) throws {
        path = "\(mount)/ipv6check-test-\(getpid())"
        let owner: [FileAttributeKey: Any] = [.ownerAccountID: 65534, .groupOwnerAccountID: 65534]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for file in ["", "/cgroup.procs"] { try FileManager.default.setAttributes(owner, ofItemAtPath: path + file) }
    }

    /// The groups in it; none when everything was tidied up.
    var left: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix("ipv6check-") }
    }

    deinit {
        for name in left { _ = unsafe rmdir("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}

@Suite(
    .enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"),
    .enabled(if: geteuid() == 0 && DelegatedGroup.mount != nil, "needs root and a cgroup v2 to prepare"))
struct `A client without a PID namespace, in a control group` {
    @Test(arguments: ["exit 4", "(setsid sleep 1000 &); kill -9 $(ps -o ppid= -p $PPID) $PPID; sleep 1000"])
    func `ends with all that it has left behind, even when it has killed guard and keeper`(script: String) throws {
        let group = try DelegatedGroup(in: #require(DelegatedGroup.mount))
        let words = Account.nobody.words.joined(separator: " ")
        let probe = try Probe(
            ["--", "bash", "-c", script],
            shell: "echo 0 >\(group.path)/cgroup.procs; "
                + `A client in a PID namespace`.masked(words + #" "$@""#))
        let result = try probe.result()
        #expect(result.code == (script == "exit 4" ? 4 : 125))
        try eventually("the end of \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
        #expect(group.left == [])
    }
}

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `From outside` {
    @Test(arguments: Account.all, [("keeper", SIGKILL), ("keeper", SIGSTOP), ("guard", SIGKILL)])
    func `a keeper or guard that is killed or stopped ends the run within seconds`(
        account: Account, victim: (name: String, signal: Int32)
    ) throws {
        let probe = try Probe(["--", "sh", "-c", "(setsid sleep 1000 &); echo ready; sleep 1000"], account: account)
        _ = try probe.waitFor("ready")
        try probe.waitUntilStarted()
        let start = MonotonicClock.now()
        kill(try probe.descendant(named: victim.name), victim.signal)
        let result = try probe.result()
        #expect(result.code == 125)
        #expect(result.errors.contains("lost\n"))
        // It takes 1 second; the rest is a reserve for a busy machine.
        #expect(MonotonicClock.now() - start < .seconds(20))
        try eventually("the end of \(probe.survivors())") { probe.survivors().isEmpty ? () : nil }
    }

    @Test(arguments: Account.all)
    func `a launcher that is stopped ends with its runner`(account: Account) throws {
        // The kernel continues a stopped process group that becomes orphaned when the runner ends; so the outer shell stays in it.
        let probe = try Probe(["launcher"], account: account, shell: #""$@" & echo $!; wait; exec sleep 1000"#)
        defer { kill(probe.process, SIGKILL) }
        let runner = try eventually("the runner") { try probe.said().first.flatMap { Int32($0) } }
        let helpers = try eventually("a zygote and a launcher") {
            let helpers = probe.survivors().filter { ![probe.process, runner].contains($0) }
            return helpers.count == 2 ? helpers : nil
        }
        for helper in helpers { kill(helper, SIGSTOP) }
        kill(runner, SIGKILL)
        try eventually("the end of \(helpers)") {
            Set(probe.survivors()).isDisjoint(with: helpers) ? () : nil
        }
    }

    @Test(arguments: Account.all)
    func `a guard that is stopped does not keep a run beyond its limit`(account: Account) throws {
        let probe = try Probe(["deadline=2000", "--", "sh", "-c", "echo ready; sleep 1000"], account: account)
        _ = try probe.waitFor("ready")
        kill(try probe.descendant(named: "guard"), SIGSTOP)
        #expect(try probe.result().code == 124)
        #expect(probe.survivors() == [])
    }

    @Test(arguments: Account.all)
    func `a guard that is stopped does not keep a run from its end`(account: Account) throws {
        let probe = try Probe(["--", "sh", "-c", "echo ready; sleep 0.5; exit 3"], account: account)
        _ = try probe.waitFor("ready")
        kill(try probe.descendant(named: "guard"), SIGSTOP)
        #expect(try probe.result().code == 3)
        #expect(probe.survivors() == [])
    }
}

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `What outlives the client` {
    @Test(arguments: Account.all)
    func `is named`(account: Account) throws {
        let probe = try Probe(["--", "sh", "-c", "setsid sleep 1000 & exec sleep 0.1"], account: account)
        let result = try probe.result()
        #expect(result.code == 0)
        #expect(result.errors.contains("survivors: sleep 3 + 0\n"))
    }

    @Test(arguments: Account.all)
    func `is named up to sixteen, and the others are counted`(account: Account) throws {
        let script = "i=0; while [ $i -lt 20 ]; do sleep 1000 & i=$((i+1)); done; sleep 0.1"
        let probe = try Probe(["--", "sh", "-c", script], account: account)
        let line = try #require(
            try probe.result().errors.split(separator: "\n").first { $0.hasPrefix("survivors: ") })
        #expect(line.split(separator: ",").count == 16)
        #expect(line.hasSuffix(" + 4"))
    }

    @Test(arguments: Account.all)
    func `is not what ends by itself at once, nor what the runner ends`(account: Account) throws {
        let ended = try Probe(["--", "sh", "-c", "sleep 0.01 & wait; exit 0"], account: account).result()
        #expect(!ended.errors.contains("survivors: "))
        let stopped = try Probe(["deadline=50", "--", "sleep", "1000"], account: account).result()
        #expect(!stopped.errors.contains("survivors: "))
    }

    @Test func `is read from a message, however it is cut`() {
        var message: [UInt8] = [9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]
        message += Array("sleep".utf8) + [UInt8](repeating: 0, count: 11)
        let survivors = Survivors(message)
        #expect(survivors.processes.map(\.name) == ["sleep"])
        #expect(survivors.processes.map(\.process) == [7])
        #expect(survivors.more == 2)
        for length in 0..<message.count { #expect(Survivors(Array(message.prefix(length))).processes == []) }
        message[4] = 255
        #expect(Survivors(message).processes.count == 1)
    }
}
