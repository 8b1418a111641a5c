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
    var remedy: String {
        let program = self == .podman ? "podman" : "docker"
        let options = "--device /dev/net/tun --cap-add SYS_ADMIN --cap-add NET_ADMIN"
        return "\(program) run \(options) --security-opt apparmor=unconfined --security-opt seccomp=unconfined …"
    }
}
