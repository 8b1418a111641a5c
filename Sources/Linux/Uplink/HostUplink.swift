// SPDX-License-Identifier: Apache-2.0
package import Topology
internal import LinuxNet
package import Router
package import Sandbox
internal import Wire

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
    /// Its board is this process's; `keepUpToDate` tells others what is new on it.
    package let network: UplinkNetwork
    private let watch: LoopThread<UplinkWatch>

    /// Enters the network in which the clients' links are to be made: one of the process's own, or with an uplink one that leads
    /// out. To be called in main, while the process has one thread and is in the host's namespaces.
    /// - Parameters:
    ///   - configuration: `nil` is no uplink.
    ///   - link: the clients' addresses, in whose place others come where the host has these (`UplinkNetwork.link`).
    /// - Returns: the way out, where there is one.
    package static func enterNetwork(
        _ configuration: UplinkConfiguration?, on link: ClientLink, inheritance: Inheritance
    ) throws(UplinkError) -> HostUplink? {
        if let configuration { return try open(configuration, on: link, inheritance: inheritance) }
        do throws(SandboxError) {
            try WorldNamespace.enter(inheritance)
        } catch {
            throw .sandbox(error)
        }
        return nil
    }

    /// Throws where nothing at all can be reached: who runs a client now does not wait for a network. To be called in the host's
    /// namespaces.
    package static func checkRoute(for configuration: UplinkConfiguration) throws(UplinkError) {
        if configuration.allow.isEmpty, !(try HostAddresses.haveRoute()) { throw .noRoute }
    }

    /// To be called in main, while the process has one thread and is in the host's namespaces.
    package static func open(
        _ configuration: UplinkConfiguration, on asked: ClientLink, inheritance: Inheritance
    ) throws(UplinkError) -> HostUplink {
        var entries = AllowList(configuration.allow)
        entries.resolve()
        var own = try HostAddresses.own()
        let found = HostResolvers.read().filter { $0 != .ipv6(asked.router) && $0 != .ipv4(asked.ipv4Router) }

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

        let lock = try StartLock()
        let anchor = try Anchor(on: asked)
        let instance = anchor.instance
        let network = instance.link.simulatedNetwork
        own = own.filter { !network.contains($0) }
        let hasIPv6 = HostAddresses.haveIPv6()
        let destinations = AllowedDestinations(
            exceptions: entries.all, own: own, hasIPv6: hasIPv6, clientLinks: network.ipv6)
        let masquerade = try Masquerade(Ruleset(instance: instance, destinations: destinations), keeping: anchor)
        _ = consume lock
        let ignoresAAAA =
            switch configuration.ignoredAAAA {
            case .auto: !hasIPv6
            case .always: true
            case .never: false
            }
        do throws(SystemError) {
            let board = DestinationBoard(destinations)
            return try HostUplink(
                UplinkNetwork(
                    link: instance.link, linkPrefix: instance.linkPrefix, resolvers: resolvers,
                    ignoresAAAA: ignoresAAAA, isOnHost: isOnHost, destinations: board),
                UplinkWatch(
                    network: network, isOnHost: isOnHost, destinations: board,
                    entries: entries, masquerade: masquerade, anchor: anchor, pasta: pasta))
        } catch {
            throw .network("\(error)")
        }
    }

    private init(_ network: UplinkNetwork, _ parts: consuming sending UplinkWatch) throws(SystemError) {
        self.network = network
        watch = try LoopThread(name: "uplink", parts, on: InterestList())
    }

    /// Whether clients have IPv6 of the host's.
    package var hasIPv6: Bool { network.destinations.current.hasIPv6 }

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
        case .ipv6(let address): ipv6.contains { $0.contains(address) }
        }
    }
}
