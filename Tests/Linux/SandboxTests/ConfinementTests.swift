// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// The capabilities of a confined process: SandboxProbe confines itself like the simulator's process, and tries every call.
@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `A confined process` {
    /// The outcome for each call number, except for those of x32.
    private func scan(_ word: String, _ account: Account) throws -> [Int: String] {
        let result = try Probe([word], account: account).result()
        let lines = result.errors.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
            lines.compactMap { parts in
                Int(parts[0]).map { ($0, parts[1].drop { $0 == " " }.description) }
            }, uniquingKeysWith: { $1 })
    }

    private static let numberOfClone3 = 435
    /// uretprobe and uprobe, to which Linux 6.14 and later do not apply filters: they have an effect only in code that the kernel has put
    /// into a process to trace it, and end a process or fail elsewhere.
    #if arch(x86_64)
        private static let unfiltered: Set = [335, 336]
    #else
        private static let unfiltered: Set<Int> = []
    #endif

    private func check(_ all: [Int: String]) {
        #expect(all.count == 604)
        let outcomes = all.filter { !Self.unfiltered.contains($0.key) }
        let calls = AllowedCall.all
        let unconditional = Set(calls.filter { $0.condition == nil }.map { Int($0.number) })
        let conditional = Set(calls.filter { $0.condition != nil }.map { Int($0.number) })
        let refusals: Set = ["\(-EPERM)", "\(-ENOSYS)"]
        let allowed = Set(outcomes.filter { !refusals.contains($0.value) }.keys)
        // With the arguments of the scan, the filter says no to most that have a condition.
        #expect(allowed.subtracting(conditional) == unconditional)
        #expect(outcomes[Self.numberOfClone3] == "\(-ENOSYS)")
        for (number, outcome) in outcomes
        where !unconditional.contains(number) && !conditional.contains(number) && number != Self.numberOfClone3 {
            #expect(outcome == "\(-EPERM)", "call \(number)")
        }
    }

    @Test(arguments: Account.all)
    func `can make the calls of the table and no others`(_ account: Account) throws {
        check(try scan("scan", account))
    }

    /// Most calls that the filter forbids fail with EPERM for one without rights, too; so here all rights are kept.
    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `is kept from the other calls by the filter alone`() throws {
        check(try scan("scan-rights", .this))
    }

    @Test(
        arguments: Account.all,
        [
            "openat -100 /etc/passwd 0", "openat2 -100 /etc/passwd 0 24", "ptrace 16 parent", "setuid 0",
            "setreuid 0 0",
            "mount none /proc proc 0", "unshare 268435456", "setns 0 0", "execve /bin/true 0 0",
            "execveat -100 /bin/true 0 0 0",
            "pidfd_open parent 0", "pidfd_getfd 2 0 0", "fsopen proc 0", "fsconfig 2 6 0 0 0", "kill parent 9",
            "tgkill parent parent 9", "process_vm_readv parent 0 0 0 0 0", "bpf 0 0 0", "io_uring_setup 1 0",
            "chroot /",
            "keyctl 0 0", "userfaultfd 0", "unlinkat -100 /etc/passwd 0",
            // A child process, one with a new user namespace, and a thread with a new network namespace.
            "clone 17 0 0 0 0", "clone 268435473 0 0 0 0", "clone 1077743360 0 0 0 0",
            // A netlink, a Unix and a packet socket.
            "socket 16 3 0", "socket 1 1 0", "socket 17 3 0",
            // Memory that can be executed.
            "mmap 0 4096 5 34 -1 0", "mmap 0 4096 7 34 -1 0", "mprotect 0 0 4",
            // New securebits, dumpable again, a terminal's input, a signal to another process, a path, another's limits.
            "prctl 28 0", "prctl 4 1", "ioctl 2 21522 x", "fcntl 2 8 1", "newfstatat -100 /etc/passwd x 0",
            "prlimit64 1 7 0 0", "sched_setattr 1 0 0", "setsockopt 2 263 1 0 0",
        ])
    func `is refused`(_ account: Account, _ call: String) throws {
        let words = call.split(separator: " ").map(String.init)
        let result = try Probe(["try"] + words, account: account).result()
        #expect(result.errors == "\(words[0]): \(-EPERM)\n")
    }

    @Test(
        arguments: [
            "socket 2 1 0": 0, "socket 10 2 0": 0, "mprotect 0 0 3": 0, "prctl 15 name": 0, "prlimit64 0 7 0 0": 0,
            "sched_setattr 0 0 0": -EINVAL,
            "fcntl 2 3": 0, "newfstatat 2  0 4096": -EFAULT, "setsockopt 2 1 9 0 0": -ENOTSOCK, "clone3 0 0": -ENOSYS,
        ])
    func `may go on with what it does`(_ call: String, _ outcome: Int32) throws {
        let words = call.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let result = try Probe(["try"] + words).result()
        let said = Int32(result.errors.split(separator: " ").last?.dropLast() ?? "") ?? -1
        // A success is a descriptor or flags where it is not 0.
        #expect(outcome == 0 ? said >= 0 : said == outcome)
    }
}

struct `The page on security` {
    @Test func `lists the calls of confined processes`() throws {
        let page = try String(contentsOfFile: projectRoot + "docs/security.md", encoding: .utf8)
        let listed = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let rows = AllowedCall.all.map {
            "| `\($0.name)` | \($0.condition ?? "") | \($0.purpose) |"
        }
        #if arch(x86_64)
            #expect(listed == rows)
        #else
            #expect(Set(rows).isSubset(of: listed))
        #endif
    }
}
