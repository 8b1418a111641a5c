package import ConfigurationText
package import LinuxNet
import Sandbox
import Synchronization
import Wire

/// Starts the programs of a world's `run:` services: here, or in a process beside the one that accepts the connections and may
/// start none. It reads nothing of what the programs are sent.
///
/// Theory of operation. Who accepts sends a program's number with the connection or whatever else the program is given, and gets the
/// control socket of the program's keeper (`ServerProgram`). It cannot choose a command, an argument, or a variable but the addresses'. When its end of the socket closes, all keepers'
/// do as well, and the programs end.
package struct ProgramHost: Sendable {
    private struct Program: Sendable {
        let path: OSString
        let arguments: [OSString]
        let manner: ServedProgram.Manner
        /// `TCP` or `UDP`
        let transport: String
    }

    /// In the order of the world's services.
    private let programs: [Program]

    /// Keepers at a time: those of `ProgramServers` for connections, as many that are about to end, and those that are for a port.
    private var limit: Int { 2 * ProgramServers.limit + programs.count }
    /// How long a keeper may take to end, in milliseconds.
    private static let endingLimit: Int32 = 5000

    /// Finds the programs.
    package init(_ world: World) throws(ServiceStartError) {
        var programs: [Program] = []
        for service in world.services {
            guard case .program(let program) = service.kind else { continue }
            let arguments = program.command.map { OSString($0) }
            switch Executable.find(arguments[0], path: Inheritance.environment()["PATH"]) {
            case .success(let path):
                programs.append(
                    Program(
                        path: path, arguments: arguments, manner: program.manner,
                        transport: program.transport == .tcp ? "TCP" : "UDP"))
            case .failure(let reason):
                throw ServiceStartError(service: service, reason: "\(program.command[0]): \(reason)")
            }
        }
        self.programs = programs
    }

    package var isEmpty: Bool { programs.isEmpty }

    /// Starts a program, with what it is given, of which the caller has no more need: the connection, the bound socket, or a
    /// certificate with its key; `nil` is nothing.
    func start(_ request: ProgramRequest, with given: Int32?) throws(SystemError) -> ServerProgram {
        try ServerProgram.start(start(of: request, given))
    }

    /// Does so for who is at the other end of `socket`, until that closes and all programs have ended.
    package func serve(_ socket: consuming UnixSocket) {
        var keepers: [Int32] = []
        let length = ProgramRequest.length + 1
        while true {
            guard case .message(let octets, let given) = try? socket.receive(upTo: length), octets.count == length
            else { break }
            // What the answer is told by.
            let serial = octets[ProgramRequest.length]
            keepers.removeAll { ServerProgram.hasEnded($0) }
            do throws(SystemError) {
                guard let request = ProgramRequest(octets.prefix(ProgramRequest.length)), keepers.count < limit else {
                    throw SystemError("fork", .EAGAIN)
                }
                let kept = try ServerProgram.keep(start(of: request, given.number))
                keepers.append(kept.process)
                try socket.send([0, serial].span, descriptor: kept.control.descriptor)
            } catch {
                guard (try? socket.send([1, serial].span)) != nil else { break }
            }
        }
        for keeper in keepers { ServerProgram.awaitEnd(keeper, milliseconds: Self.endingLimit) }
    }

    private func start(of request: ProgramRequest, _ given: Int32?) throws(SystemError) -> ServerProgram.Start {
        guard programs.indices.contains(request.number) else { throw SystemError("fork", .EAGAIN) }
        let program = programs[request.number]
        var start = ServerProgram.Start(program.path, arguments: program.arguments)
        switch program.manner {
        case .perConnection, .perSocket:
            guard let given else { throw SystemError("fork", .EBADF) }
            start.connection = given
        case .standing(_, let tls):
            start.file = given
            if tls {
                start.variables.append((name: ServedProgram.certificateVariable, value: ServerProgram.Start.path))
            }
        }
        start.variables += request.variables(program.transport)
        return start
    }
}

extension ServedProgram {
    /// Names the file with the certificate and its key.
    static let certificateVariable = "IPV6CHECK_CERTIFICATE"
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
        /// Of the last request.
        private let serial = Atomic<UInt8>(0)

        init(_ socket: consuming UnixSocket) {
            self.socket = socket
        }

        func nextSerial() -> UInt8 { serial.wrappingAdd(1, ordering: .relaxed).newValue }
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

    /// Starts a program, as `ProgramHost.start` does. To be called by one thread.
    func start(_ request: ProgramRequest, with given: Int32?) throws(SystemError) -> ServerProgram {
        switch way {
        case .here(let host): return try host.start(request, with: given)
        case .there(let line):
            let serial = line.nextSerial()
            try line.socket.send((request.octets + [serial]).span, descriptor: given)
            let end = MonotonicClock.now() + Self.timeout
            while true {
                guard waitForInput(line.socket.descriptor, until: end) else { throw SystemError("recvmsg", .EAGAIN) }
                switch try line.socket.receive(upTo: 2) {
                // An answer that came too late ends its program, as its control socket is closed here.
                case .message(let answer, _) where answer.last != serial: continue
                case .message(_, let control?): return ServerProgram(controlledOver: UnixSocket(owning: control))
                default: throw SystemError("fork", .EAGAIN)
                }
            }
        }
    }
}
