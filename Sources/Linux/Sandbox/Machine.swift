// SPDX-License-Identifier: Apache-2.0
import Topology
internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Wire

/// A relevant property of this machine, for `ipv6check doctor`.
package struct MachineFact: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case good
        /// Required for any network.
        case missing
        /// For information.
        case note
    }

    package let name: String
    package let state: State
    package let detail: String
    /// The command that fixes it, or an instruction.
    package let remedy: String?

    package init(_ name: String, _ state: State, _ detail: String, remedy: String? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
        self.remedy = remedy
    }
}

/// The capabilities of this machine.
package enum Machine {
    /// The reason that none of our programs can run at all. To be checked before the command line is used, which Swift reads from /proc.
    package static var obstacle: SandboxError? {
        if SystemControl.exists("/proc/self/exe") { return nil }
        return SandboxError(
            .launcher, "/proc is not mounted here", remedy: Toolbox.machine.asRoot("mount -t proc proc /proc"))
    }

    /// The facts that can be found without changing anything.
    package static func facts(_ inheritance: Inheritance) -> [MachineFact] {
        var facts = [kernel, privileges(inheritance), link, ipv6, mandatoryAccessControl, seccomp, overlay, settings]
        if let obstacle = TUNDevice.obstacle, !inheritance.mayAdministerNetwork {
            facts.append(
                MachineFact(
                    "uplink", .note, "--uplink host goes by pasta here, which needs a TUN",
                    remedy: SandboxObstacle.tun(obstacle).remedy))
        }
        if let container = Container.current {
            facts.append(MachineFact("container", .note, container.rawValue))
        }
        return facts
    }

    /// The results of a rehearsal.
    package struct Rehearsal: Hashable, Sendable {
        /// Whether a train of UDP datagrams crosses the links as one packet (Linux 6.2).
        package let hasUDPSegmentation: Bool
        /// From start to end.
        package let duration: Duration
        package let protection: MachineFact
    }

    /// Makes everything once, as a run does, and removes it again. It leaves this process in a network namespace of its own, so it must be
    /// the process's last action, and like `WorldNamespace.enter` it needs a process with one thread.
    package static func rehearse(_ inheritance: Inheritance) throws(SandboxError) -> Rehearsal {
        let start = MonotonicClock.now()
        try WorldNamespace.enter(inheritance)
        let network = ClientNetwork(
            ipv6: .init(
                address: NetworkPlan.client, prefixLength: NetworkPlan.clientLink.length, gateway: NetworkPlan.router))
        let nothing = ShownFile(paths: ["/etc/resolv.conf"], contents: [])
        let zygote = try Zygote.start(inheritance)
        let output: Descriptor
        do throws(SystemError) { output = try Descriptor.open("/dev/null", flags: O_WRONLY) } catch {
            throw SandboxError(.launcher, error)
        }
        // A program that every machine has.
        var client = try Client.start(
            ClientPlan(
                program: "/proc/self/exe", arguments: ["ipv6check", "--version"],
                environment: inheritance.environment, network: network, files: [nothing], inheritance: inheritance),
            by: zygote.launch(), streams: StandardStreams(output: output.number, error: output.number))
        let world = try WorldNetwork(routerIPv6: [NetworkPlan.router]).make()
        let device = try client.takeLink()
        try client.go()
        _ = client.wait()
        let weakness = client.protection?.weakness
        client.end()
        return Rehearsal(
            hasUDPSegmentation: device.hasUDPSegmentation && world.hasUDPSegmentation,
            duration: MonotonicClock.now() - start,
            protection: MachineFact(
                "protection", weakness == nil ? .good : .note,
                weakness.map { "weaker: \($0)" } ?? "a PID namespace with a /proc of its own for each client"))
    }

    // MARK: - Facts

    private static var kernel: MachineFact {
        MachineFact("kernel", .note, SystemControl.read("/proc/sys/kernel/osrelease") ?? "unknown: /proc is missing")
    }

    private static func privileges(_ inheritance: Inheritance) -> MachineFact {
        let needed = CapabilitySets.forWorld
        if inheritance.capabilities.effective & needed == needed {
            return MachineFact(
                "privileges", .good, "\(SandboxObstacle.capabilities(needed)): no user namespace is needed")
        }
        if let obstacle = SandboxObstacle.userNamespaceObstacle {
            return MachineFact("user namespaces", .missing, obstacle.reason, remedy: obstacle.remedy)
        }
        if let error = SandboxObstacle.rootWithoutMap(inheritance) {
            return MachineFact("user namespaces", .missing, error.reason, remedy: error.remedy)
        }
        // In another process: this one is to enter a user namespace later, and can do so only once.
        let refusal = clinux_try_unshare(Int32(clinux_new_user))
        if refusal != 0 {
            let error = SandboxObstacle.userNamespace(SystemError("unshare(CLONE_NEWUSER)", Errno(refusal)))
            return MachineFact("user namespaces", .missing, error.reason, remedy: error.remedy)
        }
        return MachineFact("user namespaces", .good, "one can be made")
    }

    private static var link: MachineFact {
        guard let reason = reasonForEthernet else {
            return MachineFact("link", .good, "TUN: /dev/net/tun can be opened")
        }
        return MachineFact("link", .note, "veth pair with a packet socket, as \(reason)")
    }

    /// Why links are pairs of Ethernet interfaces here; `nil` if they are TUNs.
    package static var reasonForEthernet: String? {
        TUNDevice.obstacle.map { SandboxObstacle.tun($0).reason }
    }

    private static var ipv6: MachineFact {
        if let obstacle = SandboxObstacle.ipv6Obstacle {
            return MachineFact("IPv6", .missing, obstacle.reason, remedy: obstacle.remedy)
        }
        return MachineFact("IPv6", .good, "in the kernel")
    }

    private static var mandatoryAccessControl: MachineFact {
        let label = SystemControl.read("/proc/self/attr/current")
        return MachineFact("security module", .note, label.flatMap { $0.isEmpty ? nil : $0 } ?? "none")
    }

    private static var seccomp: MachineFact {
        let filters = SystemControl.status("Seccomp") == "2"
        return MachineFact("seccomp", .note, filters ? "a filter applies to this process" : "no filter")
    }

    private static var overlay: MachineFact {
        let known = SystemControl.read("/proc/filesystems")?.split(separator: "\n").contains {
            $0.hasSuffix("\toverlay")
        }
        return MachineFact(
            "overlayfs", .note,
            known == true ? "in the kernel" : "not loaded: files that do not exist on this machine cannot be shown")
    }

    private static var settings: MachineFact {
        let canChange = SystemControl.canChange("/proc/sys/net/ipv4/ping_group_range")
        return MachineFact(
            "/proc/sys", .note,
            canChange ? "can be written" : "read-only: an ordinary user's ping needs a capability of its own")
    }
}
