// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `The client's place` {
    @Test(arguments: Account.all)
    func `has one interface with IPv6 and nothing of IPv4 but 127.0.0.1`(account: Account) throws {
        let script = """
            cat /proc/net/if_inet6 | sort | tr -s ' ' | cut -d' ' -f1,3-
            tail -n +2 /proc/net/route
            grep -A1 '/32 host' /proc/net/fib_trie | grep -v '127.0.0.1\\|127.255.255.255\\|--\\|/32 host' | wc -l
            tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | sort | xargs
            """
        let result = try Probe(["--", "sh", "-c", script], account: account).result()
        #expect(
            result.lines == [
                "00000000000000000000000000000001 80 10 80 lo",
                // Without duplicate address detection (IFA_F_NODAD 02, IFA_F_PERMANENT 80) and without a link-local address.
                "2e000002000000010000000000000002 40 00 82 eth0",
                "0",
                "eth0 lo",
            ])
        #expect(result.code == 0)
    }

    @Test(arguments: Account.all)
    func `refuses IPv4 at once, as a network without it does`(account: Account) throws {
        let result = try Probe(["--", "curl", "-s", "-m", "5", "http://198.51.100.10/"], account: account).result()
        // Failed to connect; a lost packet would be 28, a time-out.
        #expect(result.code == 7)
    }

    @Test(arguments: Account.all)
    func `has IPv4 on a dual-stack network`(account: Account) throws {
        let script = "tail -n +2 /proc/net/route | cut -f1-3 | sort"
        let result = try Probe(["dual-stack", "--", "sh", "-c", script], account: account).result()
        #expect(result.lines == ["eth0\t00000000\t010200C0", "eth0\t000200C0\t00000000"])
    }

    @Test(arguments: Account.all)
    func `lets ping have its sockets`(account: Account) throws {
        let script = "cat /proc/sys/net/ipv4/ping_group_range; id -g"
        let lines = try Probe(["--", "sh", "-c", script], account: account).result().lines
        let group = try #require(lines.last)
        #expect(lines.first == "\(group)\t\(group)")
    }

    @Test(arguments: Account.all)
    func `can be made within itself`(account: Account) throws {
        // The probe's own path is the first word of its client.
        let nested = try Probe(["--", "sh", "-c", "exit 9"], account: account, shell: #""$@""#)
        #expect(try nested.result().code == 9)
        let twice = try Probe(["--"], account: account, shell: #""$@" "$1" -- "$1" -- sh -c 'id -u; exit 9'"#)
        let result = try twice.result()
        #expect(result.code == 9)
        #expect(result.lines == [account == .nobody ? "65534" : "0"] || account == .this)
    }
}
