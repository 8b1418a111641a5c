// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Sandbox

/// As in a container that may administer its network and may make no namespace, which is Docker's usual seccomp profile with
/// `--cap-add NET_ADMIN`.
@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `Where no network namespace may be made` {
    private func probe(preparation: String) throws -> Probe.Result {
        let script = """
            \(preparation)
            echo 0 >/proc/sys/user/max_user_namespaces
            exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@"
            """
        return try Probe(
            ["--", "true"], shell: "exec unshare --map-root-user --net sh -ec '\(script)' sh \"$@\""
        ).result()
    }

    @Test func `one with nothing but a loopback is the world's`() throws {
        // It gets as far as the client, whose namespace nothing can stand in for.
        let result = try probe(preparation: "")
        #expect(result.errors.hasPrefix("namespaces: no namespace for the client: "))
    }

    @Test func `one from which another link leads out is left alone`() throws {
        let result = try probe(preparation: "ip tuntap add out mode tun; ip link set out up")
        #expect(result.errors.hasPrefix("userNamespace: "))
    }
}
