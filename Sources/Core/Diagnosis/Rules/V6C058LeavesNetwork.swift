import Evidence
import Text

extension Rule {
    /// What a service of the machine does for the client, it does on the machine's network: a container that Docker starts, a name that
    /// another resolver looks up. Of that the run shows nothing.
    package static let leavesNetwork = Rule(
        id: "V6C-058", title: "has a service outside the simulated network work for it", severity: .warning,
        advice:
            "Run that service inside the client as well (a rootless engine, its own resolver), or test what it does by itself: this "
            + "run says nothing of it.",
        clients: .all
    ) { examination in
        let evidence = examination.traced
        let calls = evidence.own.filter { $0.name == .connect && $0.error == nil && isToMachine($0.address) }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site): who listens there is on the machine's own network."
        }
    }
}

/// Sockets of services that connect and resolve for others: container engines, caches of names, proxies.
private func isToMachine(_ address: CalledAddress?) -> Bool {
    guard case .unix(let path) = address else { return false }
    let name = baseName(path).lowercased()
    if services.contains(name) { return true }
    return path.hasPrefix("/")
        && (path.contains("/nscd/socket") || path.contains("/avahi-daemon/") || name.contains("proxy"))
}

private let services: Set = [
    "docker.sock", "podman.sock", "containerd.sock", "crio.sock", "buildkitd.sock", "dockerd.sock", "libpod.sock",
    "io.systemd.resolve", "lxd.socket", "libvirt-sock", "system_bus_socket",
]
