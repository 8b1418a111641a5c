// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `The runner learns` {
    @Test(arguments: Account.all, [0, 1, 77, 255] as [Int32])
    func `the client's exit code`(account: Account, code: Int32) throws {
        #expect(try Probe(["--", "sh", "-c", "exit \(code)"], account: account).result().code == code)
    }

    @Test(arguments: Account.all, [SIGTERM, SIGKILL, SIGSEGV, SIGINT])
    func `the signal that ended it`(account: Account, number: Int32) throws {
        let result = try Probe(["--", "sh", "-c", "kill -\(number) $$"], account: account).result()
        #expect(result.code == 128 + number)
    }

    @Test(arguments: Account.all)
    func `that there is no such program`(account: Account) throws {
        let result = try Probe(["--", "no-such-program"], account: account).result()
        #expect(result.code == 126)
        #expect(result.errors == "not found: No such file or directory\n")
        let folder = try Probe(["--", "/etc"], account: account).result()
        #expect(folder.errors == "not found: Is a directory\n")
    }

    @Test(arguments: Account.all)
    func `that the kernel cannot execute the file`(account: Account) throws {
        let prepare = #"f=$(mktemp); trap 'rm $f' EXIT; printf '\1\2\3\4' >$f; chmod 755 $f; "$@" $f"#
        let result = try Probe(["--"], account: account, shell: prepare).result()
        #expect(result.code == 126)
        #expect(result.errors.contains("not executed: Exec format error\n"))
    }

    @Test(arguments: Account.all)
    func `that the deadline has come`(account: Account) throws {
        let probe = try Probe(["deadline=50", "--", "sh", "-c", "trap '' TERM; sleep 1000"], account: account)
        #expect(try probe.result().code == 124)
        #expect(probe.survivors() == [])
    }

    @Test(arguments: Account.all, [SIGTERM, SIGHUP])
    func `a signal, and passes it on to the client`(account: Account, number: Int32) throws {
        let script = "trap 'echo caught; exit 3' TERM HUP; echo ready; while :; do sleep 0.01; done"
        let probe = try Probe(["--", "sh", "-c", script], account: account)
        _ = try probe.waitFor("ready")
        kill(probe.process, number)
        let result = try probe.result()
        #expect(result.code == 3)
        #expect(result.lines == ["ready", "caught"])
    }
}
