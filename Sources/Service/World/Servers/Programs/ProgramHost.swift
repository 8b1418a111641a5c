// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
package import LinuxNet
import Sandbox
import Synchronization
import Wire

/// Starts the programs of a world's `run:` services: in the process that accepts the connections or, if that may start none,
/// in a process beside it. It reads none of the octets that are sent to the programs.
///
/// Theory of operation. The accepting process sends a program's number, together with the connection or other descriptor for
/// the program, and gets the control socket of the program's keeper (`ServerProgram`). It can choose no command, no argument,
/// and no variables except those of the addresses. It may ask whether a program is ready, for the end of its output, and for
/// its renewal before the next run. When its end of the socket closes, those of all keepers close as well, and the programs end.
package struct ProgramHost: Sendable {
    /// In the order of the world's services.
    private let programs: [HostedProgram]
    /// `nil` if none has a folder of its own.
    private let folders: LeasedFolder?
    private let grace: Duration

    /// Maximum keepers at a time: those of `ProgramServers` for connections, as many that are about to end, and those for a port.
    private var limit: Int { 2 * ProgramServers.limit + programs.count }
    /// Maximum octets of an answer about a program.
    static let answerLimit = 4096

    /// Prepares and finds the programs.
    /// - Parameter keepsOutput: whether to keep their output instead of writing it to this process's standard error stream.
    package init(_ world: World, keepsOutput: Bool = false) throws(ServiceStartError) {
        var folders: LeasedFolder?
        if let first = world.services.first(where: { $0.kind.program?.hasState ?? false }) {
            // A program that root starts may run as another user, which must be able to reach the folder.
            let parent = Inheritance.environment()["TMPDIR"].map { "\($0)" } ?? ""
            do throws(SystemError) {
                folders = try LeasedFolder(in: LeasedFolder.isPassable(parent) ? parent : "/tmp")
            } catch {
                throw ServiceStartError(service: first, reason: "\(error)")
            }
        }
        var programs: [HostedProgram] = []
        for service in world.services {
            guard let program = service.kind.program else { continue }
            programs.append(
                try HostedProgram(
                    service, program, named: "\(programs.count)", in: folders, keepsOutput: keepsOutput))
        }
        self.programs = programs
        self.folders = folders
        grace = world.programGrace
    }

    package var isEmpty: Bool { programs.isEmpty }

    /// The output that was kept, of each program that has some.
    package var output: [(service: World.Service, text: String)] {
        programs.map { ($0.service, $0.output) }.filter { !$0.1.isEmpty }
    }

    /// Starts a program. `given` is the connection, the bound socket, or a certificate with its key; `nil` is nothing. The caller
    /// may close it afterwards.
    func start(_ request: ProgramRequest, with given: Int32?) throws(SystemError) -> ServerProgram {
        try ServerProgram.start(start(of: request, given))
    }

    private struct Keeper {
        let process: Int32
        /// The program's number.
        let number: Int
    }

    /// The answer to a request about a program that this process has started itself.
    func answer(to request: ProgramRequest) -> String? { answer(to: request, []) }

    /// The answer to a request about a program; `nil` if all is well.
    private func answer(to request: ProgramRequest, _ keepers: [Keeper]) -> String? {
        guard programs.indices.contains(request.number) else { return nil }
        switch request.wish {
        case .start: return nil
        case .readiness: return programs[request.number].missing()
        case .output: return programs[request.number].quotedOutput
        case .renewal:
            let deadline = MonotonicClock.now() + ServerProgram.endingLimit(grace: grace)
            for keeper in keepers where keeper.number == request.number {
                ServerProgram.awaitEnd(keeper.process, until: deadline)
            }
            return programs[request.number].failureOfRenewal()
        }
    }

    /// Starts programs for the process at the other end of `socket`, until that closes and all programs have ended.
    package func serve(_ socket: consuming UnixSocket) {
        var keepers: [Keeper] = []
        let length = ProgramRequest.length + 1
        while true {
            guard case .message(let octets, let given) = try? socket.receive(upTo: length), octets.count == length
            else { break }
            // Identifies the answer.
            let serial = octets[ProgramRequest.length]
            keepers.removeAll { ServerProgram.hasEnded($0.process) }
            do throws(SystemError) {
                guard let request = ProgramRequest(octets.prefix(ProgramRequest.length)) else {
                    throw SystemError("fork", .EAGAIN)
                }
                if request.wish != .start {
                    let answer = answer(to: request, keepers).map { Array($0.utf8.prefix(Self.answerLimit)) }
                    try socket.send(([answer == nil ? 0 : 1, serial] + (answer ?? [])).span)
                    continue
                }
                guard keepers.count < limit else { throw SystemError("fork", .EAGAIN) }
                let kept = try ServerProgram.keep(start(of: request, given.number))
                keepers.append(Keeper(process: kept.process, number: request.number))
                try socket.send([0, serial].span, descriptor: kept.control.descriptor)
            } catch {
                guard (try? socket.send([1, serial].span)) != nil else { break }
            }
        }
        let deadline = MonotonicClock.now() + ServerProgram.endingLimit(grace: grace)
        for keeper in keepers { ServerProgram.awaitEnd(keeper.process, until: deadline) }
        folders?.delete(until: deadline)
    }

    private func start(of request: ProgramRequest, _ given: Int32?) throws(SystemError) -> ServerProgram.Start {
        guard programs.indices.contains(request.number) else { throw SystemError("fork", .EAGAIN) }
        return try programs[request.number].start(request, given)
    }
}

extension ServedProgram {
    /// The variable with the path of the file that has the certificate and its key.
    static let certificateVariable = "IPV6CHECK_CERTIFICATE"
}

/// Starts programs for the process that accepts connections, in this process or by a host in another one.
package final class ProgramStarter: Sendable {
    private let way: Way

    private enum Way {
        case here(ProgramHost)
        case there(Line)
    }

    private final class Line: Sendable {
        private let socket: UnixSocket
        /// The serial number of the last request. One request is in progress at a time.
        private let serial = Mutex<UInt8>(0)

        init(_ socket: consuming UnixSocket) {
            self.socket = socket
        }

        /// - Returns: whether the request succeeded, or its condition holds, with the answer's text and descriptor.
        func ask(
            _ request: ProgramRequest, with given: Int32? = nil, within limit: Duration
        ) throws(SystemError) -> Answer {
            try serial.withLock { serial throws(SystemError) in
                serial &+= 1
                try socket.send((request.octets + [serial]).span, descriptor: given)
                let end = MonotonicClock.now() + limit
                while true {
                    guard waitForInput(socket.descriptor, until: end) else { throw SystemError("recvmsg", .EAGAIN) }
                    switch try socket.receive(upTo: ProgramHost.answerLimit + 2) {
                    // A late answer's control socket is closed here, which ends its program.
                    case .message(let octets, _) where octets.count < 2 || octets[1] != serial: continue
                    case .message(let octets, let control):
                        return Answer(
                            isGood: octets[0] == 0, text: String(decoding: octets.dropFirst(2), as: UTF8.self),
                            control: control)
                    default: throw SystemError("fork", .EAGAIN)
                    }
                }
            }
        }
    }

    private struct Answer: ~Copyable {
        let isGood: Bool
        let text: String
        let control: Descriptor?

        consuming func takeControl() -> Descriptor? { control }
    }

    /// Maximum time of every answer but that to a renewal.
    private static let timeout = Duration.seconds(10)

    /// Starts programs in this process.
    package init(_ host: ProgramHost) {
        way = .here(host)
    }

    /// Has a host at the other end of `socket` start programs.
    package init(over socket: consuming UnixSocket) {
        way = .there(Line(socket))
    }

    /// Starts a program, as `ProgramHost.start` does. Thread-safe.
    func start(_ request: ProgramRequest, with given: Int32?) throws(SystemError) -> ServerProgram {
        switch way {
        case .here(let host): return try host.start(request, with: given)
        case .there(let line):
            switch try line.ask(request, with: given, within: Self.timeout).takeControl() {
            case .some(let control): return ServerProgram(controlledOver: UnixSocket(owning: control))
            case nil: throw SystemError("fork", .EAGAIN)
            }
        }
    }

    /// The first condition that a program does not meet yet; `nil` if it is ready.
    func missing(of request: ProgramRequest) throws(SystemError) -> String? {
        try answer(to: request, wishing: .readiness, within: Self.timeout)
    }

    /// Renews a program for the next run. Returns the reason of a failure.
    func renew(_ request: ProgramRequest, within limit: Duration) throws(SystemError) -> String? {
        try answer(to: request, wishing: .renewal, within: limit)
    }

    /// The end of a program's output, as a failure quotes it.
    func output(of request: ProgramRequest) -> String {
        (try? answer(to: request, wishing: .output, within: Self.timeout)) ?? ""
    }

    private func answer(
        to request: ProgramRequest, wishing wish: ProgramRequest.Wish, within limit: Duration
    ) throws(SystemError) -> String? {
        var request = request
        request.wish = wish
        switch way {
        case .here(let host): return host.answer(to: request)
        case .there(let line):
            let answer = try line.ask(request, within: limit)
            return answer.isGood ? nil : answer.text
        }
    }
}
