// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Netlink

/// Maps a failed system call to the problem with the machine, and the command that fixes it.
package enum SandboxObstacle {
    private static let tools = Toolbox.machine

    struct Obstacle {
        let reason: String
        let remedy: String
    }

    // MARK: - User namespaces

    /// The kernel setting that prevents user namespaces, if any.
    static var userNamespaceObstacle: Obstacle? {
        if !SystemControl.exists("/proc/self/ns/user") {
            return Obstacle(reason: "the kernel has none (CONFIG_USER_NS)", remedy: tools.asRoot("ipv6check …"))
        }
        if SystemControl.read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
            return Obstacle(
                reason: "kernel.unprivileged_userns_clone is 0",
                remedy: tools.setting(("kernel.unprivileged_userns_clone", 1)))
        }
        if SystemControl.read("/proc/sys/user/max_user_namespaces") == "0" {
            return Obstacle(
                reason: "user.max_user_namespaces is 0", remedy: tools.setting(("user.max_user_namespaces", 15000)))
        }
        if SystemControl.read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
            return Obstacle(
                reason: "kernel.apparmor_restrict_unprivileged_userns is 1",
                remedy: tools.setting(("kernel.apparmor_restrict_unprivileged_userns", 0)))
        }
        return nil
    }

    /// Making a user namespace, or mapping its users, failed.
    static func userNamespace(_ error: SystemError) -> SandboxError {
        func because(_ reason: String, _ remedy: String) -> SandboxError {
            SandboxError(.userNamespace, "cannot create a user namespace: \(reason)", remedy: remedy)
        }
        if let obstacle = userNamespaceObstacle { return because(obstacle.reason, obstacle.remedy) }
        if error.errno == Errno(ENOSPC) || error.errno == Errno(EUSERS) {
            return because("there are too many already (\(error))", tools.setting(("user.max_user_namespaces", 15000)))
        }
        if let container = Container.current {
            return because("the container runtime's seccomp profile forbids it (\(error))", container.remedy)
        }
        if SystemControl.status("Seccomp") == "2" {
            return because("a seccomp filter forbids it (\(error))", tools.asRoot("ipv6check …"))
        }
        return because("\(error)", tools.asRoot("ipv6check …"))
    }

    /// The error that root gets without CAP_SETFCAP, detected before anything is changed; `nil` in all other cases.
    static func rootWithoutMap(_ inheritance: Inheritance) -> SandboxError? {
        guard geteuid() == 0, inheritance.capabilities.effective & CapabilitySets.fileCapabilities == 0 else {
            return nil
        }
        return SandboxError(
            .userNamespace,
            "root needs \(capabilities(CapabilitySets.forWorld)), or CAP_SETFCAP for a user namespace",
            remedy: Container.current?.remedy)
    }

    /// The capabilities that root needs for a world without a user namespace; those beyond the usual two with the reason.
    static func capabilities(_ needed: UInt64) -> String {
        var names = ["CAP_SYS_ADMIN", "CAP_NET_ADMIN"]
        if needed & CapabilitySets.packetSockets != 0 { names.append("CAP_NET_RAW (as there is no TUN)") }
        if needed & CapabilitySets.lowPorts != 0 {
            names.append("CAP_NET_BIND_SERVICE (as /proc/sys is read-only)")
        }
        let last = names.removeLast()
        return "\(names.joined(separator: ", ")) and \(last)"
    }

    // MARK: - The client's namespaces

    /// Making the client's network and mount namespaces failed.
    static func namespaces(_ error: SystemError) -> SandboxError {
        if error.errno == Errno(ENOSPC) {
            return SandboxError(
                .namespaces, "there are too many network or mount namespaces already",
                remedy: tools.setting(("user.max_net_namespaces", 15000), ("user.max_mnt_namespaces", 15000)))
        }
        return SandboxError(.namespaces, "no namespace for the client: \(error)", remedy: Container.current?.remedy)
    }

    /// A file could not be shown.
    static func mount(_ error: SystemError) -> SandboxError {
        guard error.errno == .EPERM || error.errno == .EACCES else { return SandboxError(.files, error) }
        return SandboxError(
            .files, "a security module (AppArmor, SELinux) or the container forbids to mount: \(error)",
            remedy: Container.current?.remedy)
    }

    /// The keeper or the launcher found that no process can be started.
    static func noProcess(_ reason: Errno) -> SandboxError {
        SandboxError(
            .launcher, "no process can be started for the client: \(reason)",
            remedy: reason == .EAGAIN ? "ulimit -u with a larger number (it counts all of this user's threads)" : nil)
    }

    // MARK: - The network

    /// Opening /dev/net/tun or making an interface failed.
    package static func tun(_ error: SystemError) -> SandboxError {
        switch error.errno {
        case .ENOENT:
            if let container = Container.current {
                return SandboxError(.link, "/dev/net/tun is not in this container", remedy: container.deviceRemedy)
            }
            return SandboxError(
                .link, "/dev/net/tun is missing",
                remedy: tools.tunDevice)
        case Errno(ENODEV), Errno(ENXIO):
            return SandboxError(.link, "the kernel has no TUN driver", remedy: tools.module("tun"))
        case .EACCES:
            return SandboxError(
                .link, "/dev/net/tun is not open to this user", remedy: tools.asRoot("chmod 666 /dev/net/tun"))
        case .EPERM where error.call == "open":
            return SandboxError(
                .link, "the container's device rules forbid /dev/net/tun", remedy: Container.current?.deviceRemedy)
        case Errno(ENOTTY) where error.call == "ioctl(TUNGETIFF)":
            return SandboxError(.link, "/dev/net/tun is no TUN device", remedy: Container.current?.deviceRemedy)
        default:
            return SandboxError(.link, "no TUN interface: \(error)", remedy: Container.current?.deviceRemedy)
        }
    }

    /// Making a pair of Ethernet interfaces failed.
    static func ethernetPair(_ error: SystemError) -> SandboxError {
        if error.errno == .EPERM && error.call == "socket(AF_PACKET)" {
            return SandboxError(
                .link, "a packet socket needs CAP_NET_RAW", remedy: Container.current?.packetSocketRemedy)
        }
        return SandboxError(.link, "no pair of Ethernet interfaces (veth) can be made: \(error)")
    }

    static func ethernetPair(_ error: NetlinkError) -> SandboxError {
        if error.errno == Errno(EOPNOTSUPP) {
            return SandboxError(.link, "the kernel has no veth driver", remedy: tools.module("veth"))
        }
        return SandboxError(.link, "no pair of Ethernet interfaces (veth) can be made: \(error)")
    }

    /// There is neither a TUN nor a replacement for it.
    static func noLink(_ tun: SystemError, _ pair: SandboxError) -> SandboxError {
        let tun = Self.tun(tun)
        return SandboxError(.link, "\(tun.reason), and \(pair.reason)", remedy: pair.remedy ?? tun.remedy)
    }

    /// The reason that a new network namespace has no IPv6.
    static var ipv6Obstacle: Obstacle? {
        if !SystemControl.exists("/proc/sys/net/ipv6") {
            return Obstacle(
                reason: "the kernel has IPv6 switched off",
                remedy: "remove ipv6.disable=1 from the kernel's command line and restart")
        }
        if SystemControl.read("/sys/module/ipv6/parameters/disable_ipv6") == "1" {
            return Obstacle(
                reason: "the kernel's IPv6 module gives interfaces no IPv6",
                remedy: "remove ipv6.disable_ipv6=1 from the kernel's command line and restart")
        }
        return nil
    }

    /// Addresses or routes were refused.
    static func network(_ error: NetlinkError) -> SandboxError {
        if let obstacle = ipv6Obstacle {
            return SandboxError(.network, "\(obstacle.reason): \(error)", remedy: obstacle.remedy)
        }
        if SystemControl.read("/proc/sys/net/ipv6/conf/all/disable_ipv6") == "1" {
            return SandboxError(
                .network, "this network namespace has IPv6 switched off: \(error)",
                remedy: Container.current?.ipv6Remedy ?? tools.setting(("net.ipv6.conf.all.disable_ipv6", 0)))
        }
        return SandboxError(.network, "\(error)")
    }
}
