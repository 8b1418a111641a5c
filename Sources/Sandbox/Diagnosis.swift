internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Netlink

/// From a system call that failed to what is wrong with the machine, and the command that mends it.
enum Diagnosis {
    /// Making a user namespace, or settling in it, failed.
    static func userNamespace(_ error: SystemError) -> SandboxError {
        func because(_ reason: String, _ remedy: String) -> SandboxError {
            SandboxError(
                .userNamespace, "this machine gives ordinary users no user namespace: \(reason)", remedy: remedy)
        }
        if !SystemControl.exists("/proc/self/ns/user") {
            return because("the kernel was built without them (CONFIG_USER_NS)", "sudo ipv6check …")
        }
        if SystemControl.read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
            return because(
                "kernel.unprivileged_userns_clone is 0", "sudo sysctl -w kernel.unprivileged_userns_clone=1")
        }
        if SystemControl.read("/proc/sys/user/max_user_namespaces") == "0" || error.errno == Errno(ENOSPC) {
            return because("user.max_user_namespaces is exhausted", "sudo sysctl -w user.max_user_namespaces=15000")
        }
        if SystemControl.read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
            return because(
                "kernel.apparmor_restrict_unprivileged_userns is 1",
                "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0")
        }
        if let container = Container.current {
            return because("the container's seccomp profile forbids them (\(error))", container.remedy)
        }
        if SystemControl.status("Seccomp") == "2" {
            return because("a seccomp filter forbids them (\(error))", "sudo ipv6check …")
        }
        return because("\(error)", "sudo ipv6check …")
    }

    /// Making the client's network and mount namespace failed.
    static func namespaces(_ error: SystemError) -> SandboxError {
        if error.errno == Errno(ENOSPC) {
            return SandboxError(
                .networkNamespace, "user.max_net_namespaces or user.max_mnt_namespaces is exhausted",
                remedy: "sudo sysctl -w user.max_net_namespaces=15000 user.max_mnt_namespaces=15000")
        }
        return SandboxError(
            .networkNamespace, "no namespace for the client: \(error)", remedy: Container.current?.remedy)
    }

    /// Opening /dev/net/tun or making an interface failed.
    static func tun(_ error: SystemError) -> SandboxError {
        switch error.errno {
        case .ENOENT:
            if let container = Container.current {
                return SandboxError(.tun, "/dev/net/tun is not in this container", remedy: container.remedy)
            }
            return SandboxError(
                .tun, "/dev/net/tun is missing",
                remedy: "sudo modprobe tun || sudo sh -c 'mkdir -p /dev/net && mknod /dev/net/tun c 10 200'")
        case Errno(ENODEV), Errno(ENXIO):
            return SandboxError(.tun, "the kernel has no TUN driver", remedy: "sudo modprobe tun")
        case .EACCES:
            return SandboxError(
                .tun, "/dev/net/tun may not be opened by this user", remedy: "sudo chmod 666 /dev/net/tun")
        case .EPERM where error.call == "open":
            return SandboxError(
                .tun, "the container's device rules forbid /dev/net/tun", remedy: Container.current?.remedy)
        default:
            return SandboxError(.tun, "no TUN interface: \(error)", remedy: Container.current?.remedy)
        }
    }

    /// Addresses or routes were turned down.
    static func network(_ error: NetlinkError) -> SandboxError {
        if !SystemControl.exists("/proc/sys/net/ipv6") {
            return SandboxError(
                .network, "the kernel has IPv6 switched off (\(error))",
                remedy: "remove ipv6.disable=1 from the kernel's command line and restart")
        }
        if SystemControl.read("/proc/sys/net/ipv6/conf/default/disable_ipv6") == "1" {
            return SandboxError(
                .network, "new network namespaces have IPv6 switched off (\(error))",
                remedy: "sudo sysctl -w net.core.devconf_inherit_init_net=0 net.ipv6.conf.default.disable_ipv6=0")
        }
        return SandboxError(error)
    }

    /// A file could not be shown.
    static func mount(_ error: SystemError) -> SandboxError {
        guard error.errno == .EPERM || error.errno == .EACCES else { return SandboxError(.files, error) }
        return SandboxError(
            .files, "mounting is forbidden here (\(error)), by AppArmor or SELinux where the user may",
            remedy: Container.current?.remedy)
    }
}
