// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Sandbox

/// A client is a process like any other: it has the same properties as without ipv6check.
@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `The client keeps` {
    /// The output of a command inside and outside the sandbox, after the same preparation.
    func compare(_ script: String, account: Account, prepare: String = "") throws -> (
        inside: [String], outside: [String]
    ) {
        let inside = try Probe(["--", "sh", "-c", script], account: account, shell: prepare + #" exec "$@""#).result()
        // The shell's first word is the probe, the second is "--", and the rest is the plain command.
        let outside = try Probe(
            ["--", "sh", "-c", script], account: account, shell: prepare + #" shift 2; exec "$@""#
        ).result()
        #expect(inside.code == outside.code)
        return (inside.lines, outside.lines)
    }

    @Test(arguments: Account.all)
    func `its user, groups, rights, limits and processors`(account: Account) throws {
        let status = "grep -E '^(Cap|NoNewPrivs|Seccomp|Sig[BIC]|Cpus_allowed:)' /proc/self/status"
        let script = "id; \(status); umask; ulimit -a; nice"
        let (inside, outside) = try compare(script, account: account)
        #expect(inside == outside)
        #expect(outside.count > 20)
    }

    @Test(arguments: Account.all)
    func `its supplementary groups where it may`(account: Account) throws {
        if account == .this { return }
        let shell = #"exec "$@""#
        let probe = try Probe(
            ["--", "sh", "-c", "grep Groups /proc/self/status; cat /proc/self/gid_map"],
            shell: """
                exec setpriv --reuid=65534 --regid=65534 --groups=65534,4,27 sh -c '\(shell)' sh "$@"
                """)
        // Their numbers have no name in the user namespace, but their rights remain: the kernel counts three.
        let lines = try probe.result().lines
        #expect(lines.first?.split(separator: "\t").last?.split(separator: " ").count == 3)
    }

    @Test(arguments: Account.all)
    func `ignored and blocked signals as they were`(account: Account) throws {
        let script = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
        let (inside, outside) = try compare(script, account: account, prepare: "trap '' HUP USR1 PIPE INT;")
        #expect(inside == outside)
        let (plainInside, plainOutside) = try compare(script, account: account)
        #expect(plainInside == plainOutside)
        #expect(plainInside != inside)
    }

    @Test(arguments: Account.all, ["", "exec 7</etc/passwd 9>/dev/null;", "exec 0<&-;", "exec 0<&- 1>&- 7</dev/null;"])
    func `its open files and no other`(account: Account, prepare: String) throws {
        // The shell's open files while ls runs, on standard error, as standard output may be closed.
        let script = "ls /proc/$$/fd >&2"
        func descriptors(_ shell: String) throws -> [Substring] {
            let result = try Probe(["--", "sh", "-c", script], account: account, shell: prepare + shell).result()
            return result.errors.split(separator: "\n").filter { $0.allSatisfy(\.isNumber) }
        }
        let inside = try descriptors(#" exec "$@""#)
        #expect(try inside == descriptors(#" shift 2; exec "$@""#))
        #expect(inside.contains("2"))
    }

    @Test(arguments: Account.all)
    func `its working directory, even one that was removed`(account: Account) throws {
        let (inside, outside) = try compare(
            "pwd; ls /proc/self/cwd/ | wc -l", account: account, prepare: "cd /usr/share;")
        #expect(inside == outside)
        #expect(inside.first == "/usr/share")
        let removed = "d=$(mktemp -d); cd $d; rmdir $d;"
        let (gone, goneOutside) = try compare(
            "readlink /proc/self/cwd | grep -c deleted", account: account, prepare: removed)
        #expect(gone == goneOutside)
        #expect(gone == ["1"])
    }

    @Test(arguments: Account.all)
    func `arguments and environment octet for octet`(account: Account) throws {
        let probe = try Probe(
            ["--", "sh", "-c", #"printf '%s|%s' "$1" "$ODD" | od -An -tx1"#, "sh"], account: account,
            shell: #"ODD=$(printf '\200x'); export ODD; exec "$@" "$(printf '\377 \n\001')""#)
        #expect(try probe.result().lines == [" ff 20 0a 01 7c 80 78"])
    }

    @Test(arguments: Account.all)
    func `the terminal, in whose foreground it runs`(account: Account) throws {
        // Field 5 is the process group, field 8 the terminal's foreground group.
        let probe = try Probe(
            ["--"], account: account,
            shell: #"exec script -qec "'$1' -- sh -c 'test -t 0 && cut -d\" \" -f5,8 /proc/self/stat'" /dev/null"#)
        let groups = try probe.result().output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
        let line = try #require(groups.first { $0.count == 2 && $0.allSatisfy { $0.allSatisfy(\.isNumber) } })
        #expect(line[0] == line[1])
    }
}
