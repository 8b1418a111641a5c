// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `The doctor` {
    @Test(arguments: Account.all)
    func `finds nothing missing and rehearses a run`(account: Account) throws {
        let result = try Probe(["doctor"], account: account).result()
        #expect(result.code == 0)
        #expect(!result.errors.contains(": missing: "))
        #expect(result.errors.contains("link: good: TUN"))
        #expect(result.errors.contains("rehearsal: "))
    }
}

@Suite struct `A diagnosis` {
    @Test func `names the command that opens the device`() {
        let error = SandboxObstacle.tun(SystemError("open", .EACCES, what: "/dev/net/tun"))
        #expect(error.reason == "/dev/net/tun is not open to this user")
        let command = Toolbox.machine.asRoot("chmod 666 /dev/net/tun")
        #expect(error.remedy == command)
        #expect("\(error)" == "/dev/net/tun is not open to this user; fix: \(command)")
    }

    @Test func `says what keeps both kinds of link away`() {
        let error = SandboxObstacle.noLink(
            SystemError("open", .EACCES), SandboxObstacle.ethernetPair(SystemError("socket(AF_PACKET)", .EPERM)))
        #expect(error.reason == "/dev/net/tun is not open to this user, and a packet socket needs CAP_NET_RAW")
        #expect(error.remedy != nil)
    }

    @Test func `names each capability that root needs, with its reason`() {
        let usual = CapabilitySets.systemAdministration | CapabilitySets.networkAdministration
        #expect(SandboxObstacle.capabilities(usual) == "CAP_SYS_ADMIN and CAP_NET_ADMIN")
        #expect(
            SandboxObstacle.capabilities(usual | CapabilitySets.packetSockets | CapabilitySets.lowPorts) == """
                CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_NET_RAW (as there is no TUN) and CAP_NET_BIND_SERVICE \
                (as /proc/sys is read-only)
                """)
    }

    @Test(arguments: [
        SandboxObstacle.ethernetPair(SystemError("unshare(CLONE_NEWNET)", .EPERM)),
        SandboxObstacle.tun(SystemError("open", .ENOENT)),
        SandboxObstacle.userNamespace(SystemError("unshare", .EPERM)),
        SandboxObstacle.namespaces(SystemError("unshare", .ENOEXEC)),
        SandboxObstacle.mount(SystemError("mount", .EPERM)),
    ])
    func `is one line`(error: SandboxError) {
        #expect(!"\(error)".contains("\n"))
        #expect(!error.reason.isEmpty)
    }
}
