// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import Topology

/// Everything about a client and the place in which it is to run.
package struct ClientPlan: Hashable, Sendable {
    /// The executable's path, as found by `Executable.find`.
    package var program: OSString
    /// The arguments, the program's name first.
    package var arguments: [OSString]
    package var environment: Environment
    package var network: ClientNetwork
    package var files: [ShownFile]
    /// Sockets to which connecting is to fail, such as nscd's, which would resolve names on the client's behalf with
    /// the machine's own servers. Those that do not exist are passed over.
    package var maskedSockets: [String]
    /// The abstract name of a datagram socket in the client's network namespace, from which the runner receives
    /// (`Client.takeSocket`); `nil` is none.
    package var socketName: String?
    /// TCP ports of the client's loopback addresses that the runner serves (`Client.takeListener`).
    package var servedPorts: [UInt16]
    /// Whether the runner gets the network in hand (`Client.takeNetwork`): it changes while the client runs.
    package var isNetworkHeld: Bool
    /// Whether the client waits until it is followed (`Client.begin(followed:)`), and stops at the calls that are traced.
    package var isTraced: Bool
    /// What the runner was started with; the working directory, the terminal, limits and the like pass by themselves.
    package var inheritance: Inheritance

    package init(
        program: OSString, arguments: [OSString], environment: Environment, network: ClientNetwork, files: [ShownFile],
        maskedSockets: [String] = ClientPlan.resolverSockets, socketName: String? = nil,
        servedPorts: [UInt16] = [], isNetworkHeld: Bool = false, isTraced: Bool = false, inheritance: Inheritance
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.network = network
        self.files = files
        self.maskedSockets = maskedSockets
        self.socketName = socketName
        self.servedPorts = servedPorts
        self.isNetworkHeld = isNetworkHeld
        self.isTraced = isTraced
        self.inheritance = inheritance
    }

    /// Whether it is a shell without arguments, which reads commands from the user at the terminal.
    var isShell: Bool {
        let name = program.bytes.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
        return arguments.count == 1
            && ["sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "tcsh", "csh", "zsh"].contains(name)
    }

    /// The sockets of name service daemons.
    package static let resolverSockets = [
        "/run/nscd/socket",
        "/var/run/nscd/socket",
        "/run/systemd/resolve/io.systemd.Resolve",
        "/run/systemd/resolve/io.systemd.Resolve.Monitor",
        "/run/avahi-daemon/socket",
    ]
}

/// A file that the client finds with other contents than every other process.
package struct ShownFile: Hashable, Sendable {
    /// Absolute; a symbolic link is followed.
    package var paths: [String]
    /// What `contents` follow, on a line of their own; `nil` is nothing.
    package var beginning: Beginning?
    package var contents: [UInt8]
    /// Whether the client runs without it where its absence cannot be made good; otherwise that is an error.
    package var isOptional: Bool

    /// A file of the machine: as much of it as `limit` octets, as it is before any file is shown, and nothing where it is no file that can be
    /// read. It comes into no process's memory: what is read in a runner only to be written in a launcher takes longer than a network.
    package struct Beginning: Hashable, Sendable {
        package static let limit = 16 << 20

        /// Absolute.
        package var path: String
        /// Where only this file will do, and not another that has taken its path since.
        package var identity: FileIdentity?

        package init(path: String, identity: FileIdentity? = nil) {
            self.path = path
            self.identity = identity
        }
    }

    package init(paths: [String], beginning: Beginning? = nil, contents: [UInt8], isOptional: Bool = false) {
        self.paths = paths
        self.beginning = beginning
        self.contents = contents
        self.isOptional = isOptional
    }
}
