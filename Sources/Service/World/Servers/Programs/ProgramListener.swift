// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// The on-demand listener of a `run` service that has a program for each connection, or one for the socket.
final class ProgramListener: Sendable {
    enum Socket: ~Copyable, Sendable {
        case stream(StreamListener)
        case datagram(DatagramSocket)
    }

    /// The program's number in the world.
    let number: Int
    let service: ServiceEnd
    let socket: Socket

    /// Why a service of this kind cannot be offered.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens the socket, which listens when this returns, only at the service's interface.
    init(_ number: Int, _ service: ServiceEnd, _ transport: PortProbe.Transport) throws(Failure) {
        self.number = number
        self.service = service
        let address = SocketAddress(service.address, port: service.port)
        do throws(SystemError) {
            switch transport {
            case .stream: socket = .stream(try StreamListener(bindingTo: address, interface: service.interface))
            case .datagram: socket = .datagram(try DatagramSocket(bindingTo: address, interface: service.interface))
            }
        } catch {
            throw Failure(description: "\(error.errno)")
        }
    }

    var descriptor: Int32 {
        switch socket {
        case .stream(let listener): listener.descriptor
        case .datagram(let socket): socket.descriptor
        }
    }

    var localAddress: SocketAddress {
        switch socket {
        case .stream(let listener): listener.localAddress
        case .datagram(let socket): socket.localAddress
        }
    }
}

/// A program of a `run` service that listens itself, for the whole run.
struct StandingProgram: Sendable {
    let number: Int
    let service: ServiceEnd
    let transport: PortProbe.Transport
    /// A certificate with its key, in PEM; `nil` without TLS.
    let certificate: [UInt8]?
    /// Maximum time until it is ready.
    let within: Duration

    var address: SocketAddress { SocketAddress(service.address, port: service.port) }
    var request: ProgramRequest { ProgramRequest(number, local: address) }
}
