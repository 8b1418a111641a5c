// SPDX-License-Identifier: Apache-2.0
import Sandbox
import Testing

@Suite struct ToolboxTests {
    private func tools(_ programs: String..., isRoot: Bool = false) -> Toolbox {
        Toolbox(isRoot: isRoot) { programs.contains($0) }
    }

    @Test func `root needs no sudo, and who has none is told to be root`() {
        #expect(tools("sudo").asRoot("chmod 666 f") == "sudo chmod 666 f")
        #expect(tools("sudo", isRoot: true).asRoot("chmod 666 f") == "chmod 666 f")
        #expect(tools().asRoot("chmod 666 f") == "as root: chmod 666 f")
    }

    @Test func `a setting is changed by sysctl, or else by its file`() {
        let all = tools("sudo", "sysctl")
        #expect(all.setting(("a.b", 0), ("c.d", 5)) == "sudo sysctl -w a.b=0 c.d=5")
        #expect(tools("sudo").setting(("a.b", 0)) == "sudo sh -c 'echo 0 > /proc/sys/a/b'")
        #expect(tools(isRoot: true).setting(("a.b", 0), ("c.d", 5)) == "echo 0 > /proc/sys/a/b; echo 5 > /proc/sys/c/d")
    }

    @Test func `a module is loaded by modprobe, if there is one`() {
        #expect(tools("sudo", "modprobe").module("tun") == "sudo modprobe tun")
        #expect(tools("sudo").module("veth") == "load the module veth into the kernel")
        let node = "sudo sh -c 'mkdir -p /dev/net && mknod /dev/net/tun c 10 200'"
        #expect(tools("sudo").tunDevice == node)
        #expect(tools("sudo", "modprobe").tunDevice == "sudo modprobe tun || \(node)")
    }

    @Test func `a package is installed by apt-get, if there is one`() {
        #expect(tools("sudo", "apt-get").package("passt") == "sudo apt-get install passt")
        #expect(tools("apt-get", isRoot: true).package("passt") == "apt-get install passt")
        #expect(tools("sudo").package("passt") == "install passt (so Debian calls the package)")
    }
}
