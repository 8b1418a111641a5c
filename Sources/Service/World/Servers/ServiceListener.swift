// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Wire

/// Where the clients of a service come in: a socket at which the kernel has them wait until somebody serves.
struct ServiceListener: Sendable {
    let service: World.Service
    let end: ServiceEnd
    /// Where it listens: at the port that the kernel chose where the world says 0.
    let address: SocketAddress
    /// Valid until the socket is taken.
    let descriptor: Int32
    private let socket: SharedDescriptor

    /// Connections that wait to be accepted.
    static let backlog: Int32 = 1024

    /// Listens from when this returns.
    init(_ service: World.Service, _ end: ServiceEnd) throws(SystemError) {
        let address = SocketAddress(service.address, port: service.port)
        let socket =
            switch service.kind.transport {
            case .tcp:
                try StreamListener(bindingTo: address, backlog: Self.backlog, interface: end.interface).release()
            case .udp: try DatagramSocket.bound(to: address, interface: end.interface)
            }
        self.service = service
        self.end = end
        self.address = socket.localAddress
        descriptor = socket.number
        self.socket = SharedDescriptor(socket)
    }

    /// The socket, for who serves; `nil` where it has been taken before.
    func take() -> sending Descriptor? { socket.take() }
}
