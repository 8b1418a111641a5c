import LinuxNet
import Sandbox
import Wire

/// The socket of a service that is a program, and how the program is started.
final class ProgramListener: Sendable {
    let socket: StreamListener
    private let starter: ProgramStarter
    private let number: Int

    /// Why a service of this kind cannot be offered.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Listens from when this returns.
    /// - Parameters:
    ///   - number: the program's, among those of the world.
    ///   - interface: where its clients come in; `nil` is everywhere.
    init(_ number: Int, of starter: ProgramStarter, at address: SocketAddress, interface: Int? = nil) throws {
        self.starter = starter
        self.number = number
        do {
            socket = try StreamListener(bindingTo: address, interface: interface)
        } catch {
            throw Failure(description: "\(error.errno)")
        }
    }

    var port: UInt16 { socket.localAddress.port }

    /// Starts the program; of this connection the caller has no more need.
    func start(serving connection: borrowing StreamSocket) throws(SystemError) -> ServerProgram {
        try starter.start(number, serving: connection)
    }
}
