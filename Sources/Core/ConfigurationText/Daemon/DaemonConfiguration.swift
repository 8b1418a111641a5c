// SPDX-License-Identifier: Apache-2.0
package import Evidence
import NAT64
package import Router
package import Topology
import Translation

/// The settings of a daemon, as in its configuration file.
package struct DaemonConfiguration: Sendable {
    /// The hosts of the far side, and how queries for their names are answered.
    package var world = World.demo
    /// The settings of each client's NAT64, the sizes of packets, and the links' faults.
    package var translator = TranslatorConfiguration()
    /// The host's network instead of the world's hosts; `nil` if it is not used.
    package private(set) var uplink: UplinkConfiguration?
    package var clients: Clients
    /// The network that is not ours, if the daemon is its NAT64 and DNS64; then the daemon has no clients of its own.
    package private(set) var gateway: GatewayPlan?
    /// Whether a gateway may switch forwarding on if that changes what the host accepts from routers.
    package var switchesForwarding = false
    /// The link with devices that are not ours, which are clients in addition to those that attach; `nil` if there is none.
    package var lan: LANPlan?
    package var control: Control
    package var log = Log()

    package struct Clients: Hashable, Sendable {
        /// The attach socket.
        package var socket: String
        /// Maximum number of clients at the same time.
        package var limit = 32
        /// The users that may attach.
        package var permission = Permission.owner
        /// The network for the namespace in which the daemon was started, with all processes in it; `nil` leaves it as it is.
        package var here: Network?
        /// How clients get their IPv6 addresses.
        package var link = LinkSetup.fixed
        /// The addresses of their links.
        package var prefix = ClientLink.standard
    }

    package struct Control: Hashable, Sendable {
        /// The control API's socket.
        package var socket: String
        /// The users that may use the API.
        package var permission = Permission.owner
    }

    /// The users that may connect to a socket, in addition to root.
    package enum Permission: Hashable, Sendable {
        /// The daemon's own user.
        case owner
        /// The members of a group, too, by its name or number.
        case group(String)
        case everyone
    }

    package struct Log: Hashable, Sendable {
        package enum Format: Hashable, Sendable {
            case text
            case json
        }

        package var format: Format
        package var level: Level

        /// The least important messages that are logged.
        package enum Level: String, CaseIterable, Hashable, Sendable {
            case trace, debug, info, notice, warning, error, critical
        }

        package init(format: Format = .text, level: Level = .info) {
            self.format = format
            self.level = level
        }
    }

    /// - Parameter folder: the default folder of the sockets.
    package init(socketFolder folder: String = DaemonConfiguration.socketFolder) {
        clients = Clients(socket: "\(folder)/attach.sock")
        control = Control(socket: "\(folder)/control.sock")
        // A client takes no more of the daemon's memory than it needs.
        translator.nat64.limits.sessions = Self.sessionsPerClient
        translator.nat64.limits.bindings = Self.sessionsPerClient
        // The client's link, whose MTU is known, is the only one between the NAT64 and a client.
        translator.nat64.translation.lowestIPv6MTU = TranslationOptions.largestMTU
    }

    /// Puts the host's network behind the NAT64, instead of the demo world's hosts.
    /// - Parameter keepsWorld: whether the user chose the world, whose records are kept then.
    package mutating func use(_ uplink: UplinkConfiguration, keepsWorld: Bool) {
        self.uplink = uplink
        if keepsWorld { return }
        let settings = world.dns64
        world = .empty
        world.dns64 = settings
    }

    /// Makes the daemon the NAT64 and DNS64 of a network that is not ours.
    package mutating func serve(_ plan: GatewayPlan) {
        gateway = plan
        clients.prefix = plan.link
        clients.limit = 1
        clients.here = .nat64
        let limits = Self.limitsOfGateway
        // The file's values are kept.
        if translator.nat64.limits.sessions == Self.sessionsPerClient { translator.nat64.limits.sessions = limits.all }
        if translator.nat64.limits.bindings == Self.sessionsPerClient { translator.nat64.limits.bindings = limits.all }
        translator.nat64.limits.sessionsPerHost = translator.nat64.limits.sessionsPerHost ?? limits.host
        translator.nat64.limits.bindingsPerHost = translator.nat64.limits.bindingsPerHost ?? limits.host
    }

    /// Limits the number of sessions, if the network behind the NAT64 has no room for more.
    package mutating func limitSessions(to count: Int) {
        // For each of three protocols.
        let limit = max(1, min(translator.nat64.limits.sessions, count / 3))
        translator.nat64.limits.sessions = limit
        translator.nat64.limits.bindings = limit
    }

    /// For each of UDP, TCP and ICMP; and for one client, over all three.
    private static let limitsOfGateway = (all: 1 << 20, host: 65_536)

    /// The reason why the parts contradict each other; `nil` if they do not.
    package var contradiction: String? {
        if let objection = gateway?.objection(prefixes: world.translatedPrefixes.map(\.prefix)) { return objection }
        if let objection = world.objectionToPrefixes(on: clients.prefix) { return objection }
        if lan != nil, gateway != nil { return "a gateway has no LAN: its clients are on a network that is not ours" }
        if lan != nil, clients.prefix != .standard {
            return "lan and clients: prefix cannot be had together: each device has prefixes of its own"
        }
        guard uplink != nil else { return nil }
        if let objection = world.objectionToUplink { return objection }
        if gateway == nil, clients.here != nil {
            return "clients: here and the host's network as uplink want the same namespace: choose one of them"
        }
        return nil
    }

    /// The sizes of packets, and the links' faults.
    package var links: LinkPlan {
        LinkPlan(
            clientMTU: translator.nat64.translation.ipv6MTU, worldMTU: translator.nat64.translation.ipv4MTU,
            faults: translator.faults, setup: clients.link, client: clients.prefix)
    }

    /// Puts both sockets into `folder`, under their usual names.
    package mutating func putSockets(in folder: String) {
        clients.socket = "\(folder)/attach.sock"
        control.socket = "\(folder)/control.sock"
    }

    package static let socketFolder = "/run/nat64sim"

    /// For each of UDP, TCP and ICMP, by default.
    private static let sessionsPerClient = 65_536
}
