// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
internal import Sandbox
internal import Wire

/// Connects the loopback addresses of a client to ports of the machine.
///
/// Theory of operation. The client's network is not the machine's, and neither is the runner's; only a process that has stayed on the
/// machine's can connect there. It is forked before the runner leaves, and has only the user's rights. For each run the launcher makes
/// sockets that listen at 127.0.0.1 and ::1 of the client's network, and the runner passes them on:
///
///     client ──► 127.0.0.1:5432 of its network │ this process │ 127.0.0.1:5432 of the machine ──► database
///
/// Octets are forwarded through a pipe (splice(2)), in both directions, half-closed connections included. The process knows the ports that
/// the user named; others cannot be requested. It ends with the runner, however that ends.
package struct HostPortBridge: ~Copyable {
    private var process: SecondProcess
    private let channel: UnixSocket
    private let ports: [HostPort]

    /// Maximum time for delivering the octets that a client has left, and for reporting the counts.
    private static let finishLimit = BridgeService.drainLimit + .seconds(3)

    /// To be called in the machine's network, while the process has one thread.
    package static func start(_ ports: [HostPort]) throws(SystemError) -> HostPortBridge {
        let pair = try UnixSocket.pair()
        let process = try SecondProcess.start(name: "host-ports", from: pair.first, to: pair.second) { socket, _ in
            DescriptorLimit.raise()
            guard (try? Confinement.dropRights()) != nil, var service = try? BridgeService(socket, ports) else {
                return
            }
            service.run()
        }
        return HostPortBridge(process: process, channel: pair.first, ports: ports)
    }

    private init(process: consuming SecondProcess, channel: consuming UnixSocket, ports: [HostPort]) {
        self.process = process
        self.channel = channel
        self.ports = ports
    }

    /// Passes on a listening socket, whose connections the process then accepts.
    /// - Parameter index: the port's index in the list passed to `start`.
    package borrowing func serve(_ listener: borrowing Descriptor, at index: Int) throws(SystemError) {
        try BridgeMessage.serve(index: UInt8(index)).send(over: channel, listener.number)
    }

    /// To be called after the client's end: waits until the octets that it sent have been delivered, and returns the counts.
    package borrowing func finish() throws(SystemError) -> [HostPortUse] {
        try BridgeMessage.finish.send(over: channel)
        guard waitForInput(channel.descriptor, -1, until: MonotonicClock.now() + Self.finishLimit),
            case .message(let octets, _) = try channel.receive(upTo: 64 * 1024, waiting: false),
            let uses = BridgeMessage.uses(octets, of: ports)
        else { throw SystemError("recvmsg", .ECONNRESET) }
        return uses
    }

    /// How the process ended, if it does not answer.
    package mutating func explanation() -> String { process.explanation() }

    /// Tells the process to end, without waiting.
    package borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends the process, and waits for its end.
    package consuming func end() {}
}
