package import ConfigurationText
package import LinuxNet
import Sandbox
import Wire

/// Starts the programs of a world's `run:` services: here, or in a process beside the one that accepts the connections and may
/// start none. It reads nothing of what the programs are sent.
///
/// Theory of operation. Who accepts sends a program's number with the connection, and gets the control socket of the program's
/// keeper (`ServerProgram`). It cannot choose a command, an argument or a variable. When its end of the socket closes, all keepers'
/// do as well, and the programs end.
package struct ProgramHost: Sendable {
    private struct Program: Sendable {
        let path: OSString
        let arguments: [OSString]
    }

    /// In the order of the world's services.
    private let programs: [Program]

    /// Keepers at a time: those of `ProgramServers`, and as many that are about to end.
    private static let limit = 2 * ProgramServers.limit
    /// How long a keeper may take to end, in milliseconds.
    private static let endingLimit: Int32 = 5000

    /// Finds the programs.
    package init(_ world: World) throws(ServiceStartError) {
        var programs: [Program] = []
        for service in world.services {
            guard case .program(let command) = service.kind else { continue }
            let arguments = command.map { OSString($0) }
            switch Executable.find(arguments[0], path: Inheritance.environment()["PATH"]) {
            case .success(let path): programs.append(Program(path: path, arguments: arguments))
            case .failure(let reason): throw ServiceStartError(service: service, reason: "\(command[0]): \(reason)")
            }
        }
        self.programs = programs
    }

    package var isEmpty: Bool { programs.isEmpty }

    /// Starts a program; of this connection the caller has no more need.
    func start(_ number: Int, serving connection: borrowing StreamSocket) throws(SystemError) -> ServerProgram {
        try ServerProgram.start(
            programs[number].path, arguments: programs[number].arguments, variables: variables(connection),
            connection: connection.descriptor)
    }

    /// Does so for who is at the other end of `socket`, until that closes and all programs have ended.
    package func serve(_ socket: consuming UnixSocket) {
        var keepers: [Int32] = []
        var request: [UInt8] = [0, 0]
        while true {
            var space = request.mutableSpan
            guard case .message(2, let connection?) = try? socket.receive(into: &space) else { break }
            keepers.removeAll { ServerProgram.hasEnded($0) }
            let number = Int(request[0]) << 8 | Int(request[1])
            do throws(SystemError) {
                guard programs.indices.contains(number), keepers.count < Self.limit else {
                    throw SystemError("fork", .EAGAIN)
                }
                let stream = StreamSocket(owning: connection)
                let kept = try ServerProgram.keep(
                    programs[number].path, arguments: programs[number].arguments, variables: variables(stream),
                    connection: stream.descriptor)
                keepers.append(kept.process)
                try socket.send([0].span, descriptor: kept.control.descriptor)
            } catch {
                guard (try? socket.send([1].span)) != nil else { break }
            }
        }
        for keeper in keepers { ServerProgram.awaitEnd(keeper, milliseconds: Self.endingLimit) }
    }

    /// What ucspi-tcp's tcpserver tells its programs.
    private func variables(_ connection: borrowing StreamSocket) -> [(name: String, value: String)] {
        let local = connection.localAddress
        var variables = [
            (name: "PROTO", value: "TCP"), (name: "TCPLOCALIP", value: "\(local.host)"),
            (name: "TCPLOCALPORT", value: "\(local.port)"),
        ]
        if let peer = connection.peerAddress {
            variables.append((name: "TCPREMOTEIP", value: "\(peer.host)"))
            variables.append((name: "TCPREMOTEPORT", value: "\(peer.port)"))
        }
        return variables
    }
}

/// The way from who accepts to the one who starts programs.
package final class ProgramStarter: Sendable {
    private let way: Way

    private enum Way {
        case here(ProgramHost)
        case there(Line)
    }

    private final class Line: Sendable {
        let socket: UnixSocket

        init(_ socket: consuming UnixSocket) {
            self.socket = socket
        }
    }

    /// How long a start may take.
    private static let timeout = Duration.seconds(10)

    /// This process starts them itself.
    package init(_ host: ProgramHost) {
        way = .here(host)
    }

    /// A host at the other end of `socket` does.
    package init(over socket: consuming UnixSocket) {
        way = .there(Line(socket))
    }

    /// Starts the program with this number. To be called by one thread.
    func start(_ number: Int, serving connection: borrowing StreamSocket) throws(SystemError) -> ServerProgram {
        switch way {
        case .here(let host): return try host.start(number, serving: connection)
        case .there(let line):
            try line.socket.send([UInt8(number >> 8), UInt8(number & 0xff)].span, descriptor: connection.descriptor)
            guard waitForInput(line.socket.descriptor, until: MonotonicClock.now() + Self.timeout) else {
                throw SystemError("recvmsg", .EAGAIN)
            }
            var answer: [UInt8] = [0]
            var space = answer.mutableSpan
            guard case .message(_, let control?) = try line.socket.receive(into: &space) else {
                throw SystemError("fork", .EAGAIN)
            }
            return ServerProgram(controlledOver: UnixSocket(owning: control))
        }
    }
}
