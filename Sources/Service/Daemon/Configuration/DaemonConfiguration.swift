public import Findings
public import Gateway
public import Logging
import Simulator
public import Uplink
import NAT64
public import World

/// Everything that can be chosen about a daemon: what its configuration file says.
public struct DaemonConfiguration: Sendable {
    /// What is on the far side, and how its names are answered.
    public var world = World.demo
    /// How each client's NAT64 behaves, how large packets may be, and what is wrong with the links on purpose.
    public var gateway = GatewayConfiguration()
    /// The host's network in place of the world's hosts; nil is none.
    public private(set) var uplink: UplinkConfiguration?
    public var clients: Clients
    public var control: Control
    public var log = Log()

    public struct Clients: Hashable, Sendable {
        /// The attach socket.
        public var socket: String
        /// How many are served at the same time.
        public var most = 32
        /// Who may attach.
        public var permission = Permission.owner
        /// The network on which the namespace is put in which the daemon was started, with all that lives there; nil leaves
        /// it as it is.
        public var here: Network?
    }

    public struct Control: Hashable, Sendable {
        /// The control API's socket.
        public var socket: String
        /// Who may use it.
        public var permission = Permission.owner
    }

    /// Who may connect to a socket, beside root.
    public enum Permission: Hashable, Sendable {
        /// The daemon's own user.
        case owner
        /// The members of a group as well, by its name or number.
        case group(String)
        case everyone
    }

    public struct Log: Hashable, Sendable {
        public enum Format: Hashable, Sendable {
            case text
            case json
        }

        public var format = Format.text
        public var level = Logger.Level.info
    }

    /// - Parameter folder: where the sockets are, unless the file says otherwise.
    public init(socketFolder folder: String = DaemonConfiguration.socketFolder) {
        clients = Clients(socket: "\(folder)/attach.sock")
        control = Control(socket: "\(folder)/control.sock")
        // A client has no more of the daemon's memory than it needs.
        gateway.nat64.limits.sessions = Self.sessionsPerClient
        gateway.nat64.limits.bindings = Self.sessionsPerClient
    }

    /// Puts the host's network behind the NAT64, in place of the demo world's hosts.
    /// - Parameter keepsWorld: whether the world was chosen, and is to be there for its records.
    public mutating func use(_ uplink: UplinkConfiguration, keepsWorld: Bool) {
        self.uplink = uplink
        if keepsWorld { return }
        let settings = world.dns64
        world = .empty
        world.dns64 = settings
    }

    /// Why the parts cannot be had together, nil where they can.
    public var contradiction: String? {
        if let objection = world.objectionToPrefixes { return objection }
        guard uplink != nil else { return nil }
        if let host = world.hosts.first {
            return "with the host's network as uplink a world can have no hosts (\(host.name)): they are the real ones"
        }
        if clients.here != nil {
            return "clients: here and the host's network as uplink want the same namespace: choose one of them"
        }
        return nil
    }

    /// Puts both sockets there, under their usual names.
    public mutating func putSockets(in folder: String) {
        clients.socket = "\(folder)/attach.sock"
        control.socket = "\(folder)/control.sock"
    }

    public static let socketFolder = "/run/nat64sim"

    /// For each of UDP, TCP and ICMP, unless the file says otherwise.
    private static let sessionsPerClient = 65_536
}
