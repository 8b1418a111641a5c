/// The container in which this process runs, where it does.
enum Container: String {
    case docker
    case podman
    case other

    static var current: Container? {
        if SystemControl.exists("/run/.containerenv") { return .podman }
        if SystemControl.exists("/.dockerenv") { return .docker }
        // systemd-nspawn, LXC and others say so to the first process.
        if SystemControl.exists("/run/systemd/container") { return .other }
        return nil
    }

    /// How a container has to be started for network namespaces, TUNs and mounts inside it.
    ///
    /// Podman's seccomp profile permits user namespaces, and so everything but the device is there. Docker's permits
    /// namespaces and mounts to CAP_SYS_ADMIN only, and its AppArmor profile forbids mounts.
    var remedy: String {
        if self == .podman { return "podman run --device /dev/net/tun …" }
        let options = "--device /dev/net/tun --cap-add SYS_ADMIN --cap-add NET_ADMIN"
        return "docker run \(options) --security-opt apparmor=unconfined …"
    }

    /// How a container has to be started for IPv6 in its own network namespace, which Docker switches off.
    var ipv6Remedy: String { "\(program) run --sysctl net.ipv6.conf.all.disable_ipv6=0 …" }

    private var program: String { self == .podman ? "podman" : "docker" }
}
