package import Topology
internal import LinuxNet
package import Router
package import Sandbox
package import Wire

/// The real network behind a simulated one: that of the host, or of the container, in which the program was started.
///
/// Theory of operation. `open` makes the way out, in the network namespace in which the clients' links are to be made, and that is
/// the calling thread's from then on. Who may administer the host's network stays on it, and gets rules for forwarding
/// and masquerading there. Everybody else gets a namespace of their own, from which pasta leads out.
///
///     who may administer                         who may not
///     links ──► forwarding, masquerading ──► host    links ──► forwarding, masquerading ──► pasta's link ──► host
///
/// `keepUpToDate` follows what changes on the host and in its DNS. `close` takes everything away, and so does the end of
/// the process, by SIGKILL too: interfaces go with their descriptors, rules and pasta with the scripts that hold them.
package final class HostUplink: Sendable {
    /// What the interfaces of the clients' links are to be called: this, and a number.
    package static let linkPrefix = "nat64sim-"

    /// The servers to ask for names, in turn.
    package let resolvers: [IPAddress]
    /// Whether IPv6 addresses are to be synthesised for names that have some of their own.
    package let ignoresAAAA: Bool
    /// What may be reached.
    package let destinations: DestinationBoard

    /// Whether the links are on the host's network itself, and not on one that pasta leads out of.
    package let isOnHost: Bool
    private let watch: LoopThread<UplinkWatch>

    /// To be called in main, while the process has one thread and is in the host's namespaces.
    package static func open(
        _ configuration: UplinkConfiguration, for network: SimulatedNetwork, inheritance: Inheritance
    ) throws(UplinkError) -> HostUplink {
        var entries = AllowList(configuration.allow)
        entries.resolve()
        var own = try HostAddresses.own().filter { !network.contains($0) }
        let found = HostResolvers.read().filter { $0 != .ipv6(network.ipv6Router) && $0 != .ipv4(network.ipv4Router) }

        var pasta: Pasta?
        var resolvers = found
        let isOnHost = inheritance.mayAdministerNetwork
        if !isOnHost {
            resolvers = try Pasta.resolvers(for: found)
            let way = try Pasta(needsResolver: resolvers.contains(.ipv4(Pasta.resolver)))
            do throws(SandboxError) {
                try WorldNamespace.enter(inheritance)
            } catch {
                throw .sandbox(error)
            }
            try way.attach()
            own.formUnion(Pasta.link)
            // Here only our own processes are affected. Where it cannot be, the clients have no IPv6 of the host's.
            try? SystemControl.write("1", to: HostAddresses.forwardingIPv6)
            pasta = consume way
        }

        let anchor = try Anchor(network)
        let hasIPv6 = HostAddresses.haveIPv6()
        let destinations = AllowedDestinations(exceptions: entries.all, own: own, hasIPv6: hasIPv6)
        let masquerade = try Masquerade(Ruleset(network: network, destinations: destinations), keeping: anchor)
        let ignoresAAAA =
            switch configuration.ignoredAAAA {
            case .auto: !hasIPv6
            case .always: true
            case .never: false
            }
        do throws(SystemError) {
            return try HostUplink(
                resolvers: resolvers, ignoresAAAA: ignoresAAAA,
                UplinkWatch(
                    network: network, isOnHost: isOnHost, destinations: DestinationBoard(destinations),
                    entries: entries, masquerade: masquerade, anchor: anchor, pasta: pasta))
        } catch {
            throw .network("\(error)")
        }
    }

    private init(
        resolvers: [IPAddress], ignoresAAAA: Bool, _ parts: consuming sending UplinkWatch
    ) throws(SystemError) {
        self.resolvers = resolvers
        self.ignoresAAAA = ignoresAAAA
        isOnHost = parts.isOnHost
        destinations = parts.destinations
        watch = try LoopThread(name: "uplink", parts, on: InterestList())
    }

    // MARK: - Changes

    /// Follows the addresses of the configuration's names, and the host's own, until `close`.
    /// - Parameter changed: is told on another thread what may be reached from now on, besides by way of the board.
    package func keepUpToDate(_ changed: @escaping @Sendable (AllowedDestinations) -> Void) throws(UplinkError) {
        watch.tell { $0.changed = changed }
        do throws(SystemError) {
            try watch.start()
        } catch {
            throw .network("\(error)")
        }
    }

    /// Another list of exceptions, from now on.
    package func allow(_ list: [AllowedEntry]) {
        watch.tell { $0.allow(list) }
    }

    // MARK: - The end

    /// Takes away everything that was made for it. The links should be gone.
    package func close() {
        guard var parts = try? watch.stop() else { return }
        parts.takeDown()
    }
}

extension SimulatedNetwork {
    func contains(_ address: IPAddress) -> Bool {
        switch address {
        case .ipv4(let address): ipv4.contains(address)
        case .ipv6(let address): ipv6.contains(address)
        }
    }
}
