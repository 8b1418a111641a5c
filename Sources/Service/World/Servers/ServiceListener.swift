// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Wire

/// The on-demand listener of a service: a socket at which clients wait in the kernel's queue until a server takes it.
struct ServiceListener: Sendable {
    let service: World.Service
    let end: ServiceEnd
    /// The address that it listens at, with the port that the kernel chose if the world file has 0.
    let address: SocketAddress
    /// Valid until the socket is taken.
    let descriptor: Int32
    private let socket: SharedDescriptor

    /// Maximum connections that wait to be accepted.
    static let backlog: Int32 = 1024

    /// Opens the socket, which listens when this returns.
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

    /// The socket, for its server; `nil` if it has been taken before.
    func take() -> sending Descriptor? { socket.take() }
}
