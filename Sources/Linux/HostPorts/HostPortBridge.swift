// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
internal import Sandbox
internal import Wire

/// The way from the loopback addresses of a client to ports of the machine.
///
/// Theory of operation. The client's network is another than the machine's, and so is the runner's; to connect there takes a process that has
/// stayed. It is forked before the runner leaves, and has no rights but those of the user. For each run the launcher makes sockets that listen
/// at 127.0.0.1 and ::1 of the client's network, and the runner hands them over:
///
///     client ──► 127.0.0.1:5432 of its network │ this process │ 127.0.0.1:5432 of the machine ──► database
///
/// Octets go through a pipe (splice(2)), both ways, half-closed connections included. It knows the ports that the user named, and no
/// other can be asked for. It ends with the runner, however that ends.
package struct HostPortBridge: ~Copyable {
    private var process: SecondProcess
    private let channel: UnixSocket
    private let ports: [HostPort]

    /// How long it may take to hand on what a client has left, and to say what there was.
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

    /// Has it take connections.
    /// - Parameter index: of the port, in the order of `start`.
    package borrowing func serve(_ listener: borrowing Descriptor, at index: Int) throws(SystemError) {
        try BridgeMessage.serve(index: UInt8(index)).send(over: channel, listener.number)
    }

    /// The client has ended: waits until what it sent has been handed on, and says what there was.
    package borrowing func finish() throws(SystemError) -> [HostPortUse] {
        try BridgeMessage.finish.send(over: channel)
        guard waitForInput(channel.descriptor, -1, until: MonotonicClock.now() + Self.finishLimit),
            case .message(let octets, _) = try channel.receive(upTo: 64 * 1024, waiting: false),
            let uses = BridgeMessage.uses(octets, of: ports)
        else { throw SystemError("recvmsg", .ECONNRESET) }
        return uses
    }

    /// How it ended, where it does not answer.
    package mutating func explanation() -> String { process.explanation() }

    /// Tells it to end, and does not wait.
    package borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends it, and waits for that.
    package consuming func end() {}
}
