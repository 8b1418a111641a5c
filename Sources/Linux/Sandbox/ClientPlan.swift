// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import Topology

/// The configuration of a client and of its namespaces.
package struct ClientPlan: Hashable, Sendable {
    /// The executable's path, as found by `Executable.find`.
    package var program: OSString
    /// The arguments, starting with the program's name.
    package var arguments: [OSString]
    package var environment: Environment
    package var network: ClientNetwork
    package var files: [ShownFile]
    /// Sockets to which connecting must fail, such as that of nscd, which would resolve names on the client's behalf with the machine's
    /// own servers. Sockets that do not exist are ignored.
    package var maskedSockets: [String]
    /// The abstract name of a datagram socket in the client's network namespace, from which the runner receives
    /// (`Client.takeSocket`); `nil` for none.
    package var socketName: String?
    /// Whether the kernel's messages about the IPv4 sockets that the client closes are kept (`Client.takeClosedSockets`).
    package var recordsClosedSockets: Bool
    /// TCP ports of the client's loopback addresses that the runner serves (`Client.takeListener`).
    package var servedPorts: [UInt16]
    /// Whether the runner controls the network (`Client.takeNetwork`), to change it while the client runs.
    package var isNetworkHeld: Bool
    /// Whether the client waits until it is traced (`Client.go(follow:)`), and stops at the traced calls.
    package var isTraced: Bool
    /// Whether it has no controlling terminal (/dev/tty), at which it could ask the user.
    package var leavesTerminal: Bool
    /// The runner's initial state. The working directory, the terminal, limits and the like are inherited anyway.
    package var inheritance: Inheritance

    package init(
        program: OSString, arguments: [OSString], environment: Environment, network: ClientNetwork, files: [ShownFile],
        maskedSockets: [String] = ClientPlan.resolverSockets, socketName: String? = nil,
        recordsClosedSockets: Bool = false, servedPorts: [UInt16] = [], isNetworkHeld: Bool = false,
        isTraced: Bool = false, leavesTerminal: Bool = false, inheritance: Inheritance
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.network = network
        self.files = files
        self.maskedSockets = maskedSockets
        self.socketName = socketName
        self.recordsClosedSockets = recordsClosedSockets
        self.servedPorts = servedPorts
        self.isNetworkHeld = isNetworkHeld
        self.isTraced = isTraced
        self.leavesTerminal = leavesTerminal
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

/// A file whose contents only the client sees.
package struct ShownFile: Hashable, Sendable {
    /// Absolute; symbolic links are followed.
    package var paths: [String]
    /// The text before `contents`, which starts a new line after it; `nil` for nothing.
    package var beginning: Beginning?
    package var contents: [UInt8]
    /// Whether the client runs without the file if it cannot be created; otherwise that is an error.
    package var isOptional: Bool

    /// The first `limit` octets of a file of the machine, as it is before any file is shown; empty if it is no readable regular file. No
    /// process holds its contents in memory: reading them in a runner just to write them in a launcher takes longer than making a network.
    package struct Beginning: Hashable, Sendable {
        package static let limit = 16 << 20

        /// Absolute.
        package var path: String
        /// If set, the file is used only if it is still this one, and not another at the same path.
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
