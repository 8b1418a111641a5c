import LinuxNet
import Sandbox
import Wire

/// The socket of a service that is a program, and how the program is started.
final class ProgramListener: Sendable {
    let socket: StreamListener
    private let program: OSString
    private let arguments: [OSString]

    /// Why a service of this kind cannot be offered.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Listens from when this returns.
    init(_ command: [String], at address: SocketAddress) throws {
        arguments = command.map { OSString($0) }
        switch Executable.find(arguments[0], path: Inheritance.environment()["PATH"]) {
        case .success(let program): self.program = program
        case .failure(let reason): throw Failure(description: "\(command[0]): \(reason)")
        }
        do {
            socket = try StreamListener(bindingTo: address)
        } catch {
            throw Failure(description: "\(error.errno)")
        }
    }

    var port: UInt16 { socket.localAddress.port }

    /// Starts the program; of this connection the caller has no more need.
    func start(
        serving connection: borrowing StreamSocket, from peer: SocketAddress?
    ) throws(SystemError) -> ServerProgram {
        try ServerProgram.start(
            program, arguments: arguments, variables: variables(connection.localAddress, peer),
            connection: connection.descriptor)
    }

    /// What ucspi-tcp's tcpserver tells its programs.
    private func variables(_ local: SocketAddress, _ peer: SocketAddress?) -> [(name: String, value: String)] {
        var variables = [
            (name: "PROTO", value: "TCP"), (name: "TCPLOCALIP", value: "\(local.host)"),
            (name: "TCPLOCALPORT", value: "\(local.port)"),
        ]
        if let peer {
            variables.append((name: "TCPREMOTEIP", value: "\(peer.host)"))
            variables.append((name: "TCPREMOTEPORT", value: "\(peer.port)"))
        }
        return variables
    }
}
