// SPDX-License-Identifier: Apache-2.0
package import Topology
internal import LinuxNet
package import Router
package import Sandbox
internal import Wire

/// The real network behind a simulated one: that of the host or container in which the program was started.
///
/// Theory of operation. `open` makes the uplink, in the network namespace in which the clients' links are to be made, which is then the
/// calling thread's. A process that may administer the host's network stays there, and makes rules for forwarding
/// and masquerading. Any other process gets its own namespace, which pasta connects to the host's network.
///
///     may administer the network                     may not
///     links ──► forwarding, masquerading ──► host    links ──► forwarding, masquerading ──► pasta's link ──► host
///
/// `keepUpToDate` follows changes on the host and in its DNS. `close` removes everything, and so does the end of
/// the process, even by SIGKILL: interfaces disappear with their descriptors, rules and pasta with the scripts that hold them.
package final class HostUplink: Sendable {
    /// Its board belongs to this process; `keepUpToDate` reports changes of it to others.
    package let network: UplinkNetwork
    private let watch: LoopThread<UplinkWatch>

    /// Enters the network in which the clients' links are to be made: one of the process's own, or with an uplink one that is connected
    /// to the host's. To be called in main, while the process has one thread and is in the host's namespaces.
    /// - Parameters:
    ///   - configuration: `nil` for no uplink.
    ///   - link: the preferred addresses of the clients; others are used if the host has these (`UplinkNetwork.link`).
    /// - Returns: the uplink, if there is one.
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

    /// Throws if nothing can be reached: users that run a client now do not wait for a network. To be called in the host's
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
            // Only our own processes are affected here. If this fails, the clients have no IPv6 access.
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

    /// Whether clients have IPv6 access through the host.
    package var hasIPv6: Bool { network.destinations.current.hasIPv6 }

    // MARK: - Changes

    /// Follows the addresses of the configuration's names, and the host's own, until `close`.
    /// - Parameter changed: called on another thread with the new destinations, in addition to the board.
    package func keepUpToDate(_ changed: @escaping @Sendable (AllowedDestinations) -> Void) throws(UplinkError) {
        watch.tell { $0.changed = changed }
        do throws(SystemError) {
            try watch.start()
        } catch {
            throw .network("\(error)")
        }
    }

    /// Replaces the list of exceptions.
    package func allow(_ list: [AllowedEntry]) {
        watch.tell { $0.allow(list) }
    }

    // MARK: - The end

    /// Removes everything that was made for the uplink. The links should already be gone.
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
