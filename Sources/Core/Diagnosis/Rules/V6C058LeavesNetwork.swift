// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension Rule {
    /// A service of the machine works on the machine's network, even for the client: a container that Docker starts, a name that another
    /// resolver looks up. The run shows nothing of that.
    package static let leavesNetwork = Rule(
        id: "V6C-058", title: "uses a service outside the simulated network", severity: .warning,
        advice:
            "Run that service inside the client as well (a rootless engine, its own resolver), or test what it does by itself: this "
            + "run says nothing of it.",
        clients: .all
    ) { examination in
        let evidence = examination.traced
        let calls = evidence.own.filter { $0.name == .connect && $0.error == nil && isToMachine($0.address) }
        let traced = examination.observations(of: calls) { call, site in
            "\(call, at: site): what listens there is on the machine's own network."
        }
        return traced.isEmpty ? untraced(examination.run.localConnections) : traced
    }
}

/// Whether it is the socket of a service that connects and resolves for others: container engines, caches of names, proxies.
private func isToMachine(_ address: CalledAddress?) -> Bool {
    guard case .unix(let path) = address else { return false }
    let name = baseName(path).lowercased()
    if engines.contains(name) || services.contains(name) { return true }
    return path.hasPrefix("/")
        && (path.contains("/nscd/socket") || path.contains("/avahi-daemon/") || name.contains("proxy"))
}

/// Services that run programs for others.
private let engines: Set = [
    "docker.sock", "podman.sock", "containerd.sock", "crio.sock", "buildkitd.sock", "dockerd.sock", "libpod.sock",
    "lxd.socket", "libvirt-sock",
]
private let services: Set = ["io.systemd.resolve", "system_bus_socket"]

/// For an untraced run, engines only: many programs connect to the message bus for purposes that do not concern the network.
private func untraced(_ connections: [LocalConnection]) -> [Observation] {
    connections.filter { engines.contains(baseName($0.path).lowercased()) }.map { connection in
        let program: Statement = connection.program.map { "\(text: $0)" } ?? "It"
        return Observation(
            "\(program) connected to \(text: connection.path): what listens there is on the machine's own network.")
    }.unique
}
