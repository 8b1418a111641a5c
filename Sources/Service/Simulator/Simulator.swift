// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
package import Topology
package import DNS64
package import DNSServer
package import Evidence
package import LinuxNet
package import NAT64
import RouterThread
package import Router
import Sandbox
import Synchronization
package import Translation
import Uplink
import Wire
import World

/// The far side of a simulated network, and the wiring between it and the clients.
///
/// Theory of operation. The process is in a network namespace of its own (`WorldNamespace`), or has an uplink to the host's
/// network (`UplinkNetwork`). `init` makes the links and the world's addresses there and starts the DNS server and the hermetic
/// servers; all of them serve until `stop`, one run after another. `connect` puts one client on a network: it starts the packet
/// path between the client's TUN and its place's link. Clients in different places share the world and nothing else: each has its
/// packet path, its NAT64 and its logs, and no route leads from one to another.
package final class Simulator: Sendable {
    /// Number of clients that can be served at the same time.
    package var places: Int { links.count }
    private let links: [WorldLink]
    /// Log, counters and faults of the DNS server, which all places share.
    package let dns: DNSService
    private let servers: ServerGroup
    /// The current configuration; it may change for future queries and clients.
    private let current: Mutex<SimulatorConfiguration>

    /// Loads the files that `init` would read into memory, for a process that is about to give up access to them.
    package static func load(_ configuration: SimulatorConfiguration) {
        if configuration.world.validation != nil { Validator.load() }
    }

    /// - Parameter links: made earlier, if the rights to make them have been given up since.
    package init(_ configuration: SimulatorConfiguration, links: WorldLinks? = nil) throws(SimulatorError) {
        current = Mutex(configuration)
        if let links {
            self.links = links.links
        } else {
            self.links = try WorldLinks(configuration).links
        }
        // Each link has queues of its own at every server, so that no client fills another's; and so have packets of the world's own
        // programs. If there is one client, or no right to bind to interfaces, a single queue must do.
        let interfaces =
            self.links.count > 1 && InterfaceBinding.isPermitted
            ? [InterfaceBinding.loopback] + self.links.map(\.interface) : []
        let resolver = Self.resolver(configuration)
        let validator: Validator?
        do throws(ValidatorError) {
            validator = try Validator(for: resolver)
        } catch {
            throw .validation(error)
        }
        do throws(SystemError) {
            dns = try DNSService(
                resolver,
                listeningOn: [
                    SocketAddress(configuration.links.client.router, port: 53),
                    SocketAddress(configuration.links.client.ipv4Router, port: 53),
                ], interfaces: interfaces,
                limits: configuration.world.dns64.limits, validator: validator)
            if configuration.gateway != nil || configuration.servesDevices {
                dns.followMany(limit: GatewayPlan.clientLimit)
            }
            try dns.start()
        } catch {
            throw .dns(error)
        }
        servers = try ServerGroup(
            configuration.world, configuration.servingStart, records: resolver.store,
            authority: configuration.authority,
            programs: configuration.programs,
            interfaces: interfaces)
    }

    /// Renews the programs of the world whose folder is for a single run of a client.
    package func renewPrograms() throws(SimulatorError) { try servers.renewPrograms() }

    /// The MTUs of the links, and their deliberate faults.
    package var linkPlan: LinkPlan { current.withLock { $0.links } }

    /// The prefixes under which IPv4 hosts appear on a `nat64` network.
    package var prefixes: [Pref64] { current.withLock { $0.world.translatedPrefixes } }

    /// Puts the client at the other end of `device` on `network`, until the connection is ended. A place has one client at a
    /// time.
    /// - Parameters:
    ///   - links: the properties of this client's links, on each of its networks; `nil` for the common ones.
    ///   - capture: gets every packet of both sides.
    package func connect(
        _ device: consuming LinkDevice, to network: Network, at place: ClientSlot = .first,
        over links: LinkPlan? = nil, capture: (any PacketTap)? = nil
    ) throws(SimulatorError) -> Connection {
        let configured: @Sendable (LinkPlan?) -> SimulatorConfiguration = { [self] links in
            var configuration = current.withLock { $0 }
            if let links { configuration.links = links }
            return configuration
        }
        let configuration = configured(links)
        let link = self.links[place.number]
        link.forget()
        do throws(SystemError) {
            let path = try RouterThread(
                Self.router(configuration, network, place, link.reach), client: device, world: link, tap: capture,
                isShared: places > 1)
            let connection = Connection(
                path: path, dns: dns, servers: servers, place: place,
                servedAs: configuration.servedPlaces(of: place), network: network, over: links,
                conditions: configuration.links.conditions, paths: configuration.world.paths,
                router: { [self] network, links in
                    Self.router(configured(links), network, place, self.links[place.number].reach)
                })
            try connection.begin()
            return connection
        } catch {
            throw .path(error)
        }
    }

    /// The reason why the network cannot have this prefix, `nil` if it can.
    package func objection(to pref64: Pref64) -> String? {
        let (now, link) = current.withLock { ($0.world, $0.links.client) }
        var world = now
        world.dns64.replaceClauses(by: pref64)
        return world.objectionToPrefixes(on: link)
    }

    /// Gives the `nat64` network another prefix. The DNS64 uses it from the next query on, and those of the `connections` that are on
    /// this network from the next packet on.
    /// - Parameter connections: called after the change, when new clients have the new prefix already.
    package func change(to pref64: Pref64, for connections: () -> [Connection]) {
        var settings = current.withLock { $0.world.dns64 }
        settings.replaceClauses(by: pref64)
        change(to: settings, for: connections)
    }

    /// Changes the DNS64 from the next query on. If that changes the prefixes, the sessions of the `connections` end.
    /// - Parameter connections: called after the change, when new clients have the new prefixes already.
    package func change(to settings: DNS64Settings, for connections: () -> [Connection]) {
        let (before, configuration) = current.withLock { configuration in
            let before = configuration.world.translatedPrefixes
            configuration.world.dns64 = settings
            return (before, configuration)
        }
        dns.networks = Self.networks(configuration)
        let prefixes = configuration.world.translatedPrefixes
        guard prefixes != before else { return }
        for connection in connections() {
            connection.change(
                to: { Self.nat64(configuration, connection.place, on: $0) }, seed: configuration.seed)
        }
    }

    /// Replaces the records and zones from the next query on. The hosts must be the same; the routes to them, services, forwarders and
    /// validation stay as they are.
    package func change(to world: World) {
        let configuration = current.withLock { configuration in
            let running = configuration.world
            configuration.world = world
            configuration.world.paths = running.paths
            configuration.world.dns64 = running.dns64
            return configuration
        }
        let records = RecordStore(world, isAlone: world.forwarders == nil && configuration.uplink == nil)
        dns.know(records)
        servers.know(records)
        dns.networks = Self.networks(configuration)
    }

    /// The reason why the network cannot have these settings, `nil` if it can.
    package func objection(to settings: DNS64Settings) -> String? {
        let (now, link) = current.withLock { ($0.world, $0.links.client) }
        var world = now
        world.dns64 = settings
        return world.objectionToPrefixes(on: link)
    }

    /// Changes the destinations that the uplink allows; the names of `allow` may have other addresses with it.
    package func change(to destinations: AllowedDestinations) {
        let configuration = current.withLock { $0 }
        configuration.uplink?.destinations.post(destinations)
        dns.networks = Self.networks(configuration)
    }

    /// Gives future clients another NAT64 and other links; the MTU of the world's link stays, and so do all addresses.
    package func change(to nat64: NAT64Configuration, _ links: LinkPlan) {
        current.withLock { configuration in
            configuration.nat64 = nat64
            configuration.links = links.on(configuration.links.client)
        }
    }

    /// Ends all servers. Not for a confined process: NIO has Dispatch end its threads, which opens files.
    package func stop() {
        servers.stop()
        dns.stop()
    }

    /// Octets that may be delayed in each direction for a client that shares this process with others, and on all links of hosts: 32
    /// of these take 400 MB at most.
    private static let sharedLatePackets = 4 << 20

    /// The router of one client's network.
    /// - Parameter network: `nil` while the client has none.
    private static func router(
        _ configuration: SimulatorConfiguration, _ network: Network?, _ place: ClientSlot, _ reach: Reach
    ) -> RouterConfiguration {
        let nat64 = nat64(configuration, place, on: network)
        let clat = network.flatMap(place.clat)
        var router = RouterConfiguration(
            network?.entry.hasNAT64 == true ? .stateful(nat64) : .none, errors: nat64.errors,
            forwarding: Forwarding(
                links: configuration.links, ipv6Router: configuration.links.client.router,
                ipv4Router: configuration.links.client.ipv4Router,
                client: network == nil && configuration.links.ethernet != nil
                    ? .withoutAddress
                    : Forwarding.Client(
                        ipv6: network.map { configuration.ipv6(of: place, on: $0) } ?? [],
                        ipv4: clat?.client ?? network.flatMap(place.ipv4), pool: configuration.pool(of: place)),
                reach: reach, exemptIPv4: exempt(configuration)),
            seed: configuration.seed)
        router.advertisedLink = network.flatMap { advertisedLink(configuration, place, on: $0) }
        router.faults = configuration.links.faults
        router.clat = clat
        if configuration.places > 1 { router.latePackets = Self.sharedLatePackets }
        router.conditions = network.map(configuration.links.conditions.on) ?? Conditions()
        router.paths = configuration.world.paths
        router.recordsFlows = true
        router.clientLimit =
            configuration.gateway != nil
            ? GatewayPlan.clientLimit : configuration.links.ethernet != nil ? DevicePlan.addressLimit : 0
        return router
    }

    /// A network that leaves synthesis to its clients sends them the prefix on request (RFC 8781). Any other network advertises itself
    /// only if it is configured to.
    private static func advertisedLink(
        _ configuration: SimulatorConfiguration, _ place: ClientSlot, on network: Network
    ) -> AdvertisedLink? {
        let asked = configuration.links.setup.advertisement
        if let ethernet = configuration.links.ethernet {
            return place.devicePrefix(on: network).map { prefix in
                AdvertisedLink(
                    router: NetworkPlan.linkLocalRouter, prefix: prefix,
                    resolvers: [configuration.links.client.router], mtu: configuration.links.clientMTU,
                    asked ?? Advertisement(), isUnsolicited: true, ethernet: ethernet)
            }
        }
        guard network.entry.ipv6 != nil, asked != nil || network.entry.synthesis == .discovery else { return nil }
        return AdvertisedLink(
            router: NetworkPlan.linkLocalRouter, prefix: configuration.links.client.prefix,
            resolvers: [configuration.links.client.router],
            mtu: configuration.links.clientMTU, asked ?? Advertisement(), isUnsolicited: asked != nil)
    }

    private static func nat64(
        _ configuration: SimulatorConfiguration, _ place: ClientSlot, on network: Network?
    ) -> NAT64Configuration {
        var nat64 = configuration.nat64
        nat64.prefixes = configuration.world.translatedPrefixes
        nat64.pool = configuration.pool(of: place)
        nat64.errors.ipv6Source = configuration.links.client.router
        nat64.errors.ipv4Source = configuration.links.client.ipv4Router
        let client = network.flatMap(place.ipv6)
        nat64.staticBindings = configuration.publishedPorts.compactMap { port in
            client.map { StaticBinding(.tcp, TransportAddress6($0, port), TransportAddress4(place.poolAddress, port)) }
        }
        nat64.exemptIPv4 = exempt(configuration) + IPv4Prefix.covering(nat64.pool)
        // Packets to it were allowed by `Reach`, and packets back may come from any router on the way.
        if configuration.uplink != nil { nat64.exemptIPv4 = [.all] }
        nat64.translation.ipv6MTU = configuration.links.clientMTU
        nat64.translation.ipv4MTU = configuration.links.worldMTU
        nat64.translation.carriedLinkLocal = configuration.world.dns64.policy.exemptLinkLocal
        return nat64
    }

    /// Includes the world's own addresses: documentation addresses, which the well-known prefix would not carry (RFC 6052 §3.1).
    private static func exempt(_ configuration: SimulatorConfiguration) -> [IPv4Prefix] {
        let world = configuration.world
        // A zone may have very many, and global addresses are carried anyway.
        // A link-local address belongs to the client's link, and no translator handles it.
        let own = world.definedIPv4Addresses.filter { !$0.isGlobal && !$0.isLinkLocal }
        return IPv4Prefix.covering(own) + [IPv4Prefix(configuration.links.client.ipv4Router, length: 32)!]
            + world.dns64.policy.exemptIPv4
    }

    /// The configuration of the world's DNS64, with its records and the clients of its networks.
    private static func resolver(_ configuration: SimulatorConfiguration) -> ResolverConfiguration {
        let world = configuration.world
        var resolver = world.dns64.resolver
        resolver.forwarders = world.forwarders ?? configuration.uplink?.forwarders
        resolver.store = RecordStore(world, isAlone: resolver.forwarders == nil)
        resolver.networks = networks(configuration)
        resolver.validation = world.validation
        return resolver
    }

    private static func networks(_ configuration: SimulatorConfiguration) -> [ServedNetwork] {
        let world = configuration.world
        var synthesising = world.dns64.policy
        synthesising.exemptIPv4 = exempt(configuration)
        if let uplink = configuration.uplink {
            synthesising.exemptIPv4 += uplink.destinations.current.exceptions
            if uplink.ignoresAAAA { synthesising.ignoredAAAA = .all }
        }
        func clients(of isIncluded: (Network) -> Bool) -> AddressMatchList {
            if let gateway = configuration.gateway {
                return AddressMatchList(isIncluded(.nat64) ? gateway.clients.map { .init(.ipv6($0)) } : [])
            }
            let places = (0..<configuration.places).map { ClientSlot($0, on: configuration.links.client) }
            let networks = Network.allCases.filter(isIncluded)
            let devices =
                configuration.servesDevices
                ? networks.flatMap { network in places.compactMap { $0.devicePrefix(on: network) } } : []
            return .only(
                networks.flatMap { network in places.flatMap { $0.addresses(on: network) } }, and: devices)
        }
        return [
            // Queries from the NAT64's pool to the IPv4 address match no client: there is no IPv4 resolver on this network.
            ServedNetwork(clients: clients { $0.entry.synthesis == .all }, policy: synthesising),
            ServedNetwork(
                clients: clients { $0.entry.synthesis == .discovery },
                policy: world.dns64.isDiscoverable ? synthesising.forDiscovery : .plain),
            ServedNetwork(clients: clients { $0.entry.synthesis == .none }, policy: .plain),
        ]
    }
}

extension IPv4Prefix {
    fileprivate static let all = IPv4Prefix(IPv4Address(bits: 0), length: 0)!
}

extension UplinkNetwork {
    /// The host's resolvers, for all names that the world does not know.
    fileprivate var forwarders: ForwarderConfiguration {
        ForwarderConfiguration(servers: resolvers.map { Endpoint($0, port: 53) })
    }
}

extension AddressMatchList {
    fileprivate static func only(_ addresses: [IPAddress], and prefixes: [IPv6Prefix]) -> AddressMatchList {
        AddressMatchList(
            addresses.map { address in
                switch address {
                case .ipv4(let address): Element(.ipv4(IPv4Prefix(address, length: 32)!))
                case .ipv6(let address): Element(.ipv6(IPv6Prefix(address, length: 128)!))
                }
            } + prefixes.map { Element(.ipv6($0)) })
    }
}
