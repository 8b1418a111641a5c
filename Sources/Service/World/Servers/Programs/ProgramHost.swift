// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
package import LinuxNet
import Sandbox
import Synchronization
import Wire

/// Starts the programs of a world's `run:` services: here, or in a process beside the one that accepts the connections and may
/// start none. It reads nothing of what the programs are sent.
///
/// Theory of operation. Who accepts sends a program's number with the connection or whatever else the program is given, and gets the
/// control socket of the program's keeper (`ServerProgram`). It cannot choose a command, an argument, or a variable but the addresses'.
/// It may ask whether a program is ready, for the end of what that has printed, and that it be as new for the next run. When its end of the socket closes, all keepers'
/// do as well, and the programs end.
package struct ProgramHost: Sendable {
    /// In the order of the world's services.
    private let programs: [HostedProgram]
    /// `nil` if none has a folder of its own.
    private let folders: LeasedFolder?
    private let grace: Duration

    /// Keepers at a time: those of `ProgramServers` for connections, as many that are about to end, and those that are for a port.
    private var limit: Int { 2 * ProgramServers.limit + programs.count }
    /// Octets of what is said of a program.
    static let answerLimit = 4096

    /// Prepares and finds the programs.
    /// - Parameter keepsOutput: whether what they print is kept, and not written to this process's standard error stream.
    package init(_ world: World, keepsOutput: Bool = false) throws(ServiceStartError) {
        var folders: LeasedFolder?
        if let first = world.services.first(where: { $0.kind.program?.hasState ?? false }) {
            // A program may be another user's, where root starts it.
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

    /// What the programs have printed, as far as it is kept, of each that has.
    package var output: [(service: World.Service, text: String)] {
        programs.map { ($0.service, $0.output) }.filter { !$0.1.isEmpty }
    }

    /// Starts a program, with what it is given, of which the caller has no more need: the connection, the bound socket, or a
    /// certificate with its key; `nil` is nothing.
    func start(_ request: ProgramRequest, with given: Int32?) throws(SystemError) -> ServerProgram {
        try ServerProgram.start(start(of: request, given))
    }

    private struct Keeper {
        let process: Int32
        /// The program's.
        let number: Int
    }

    /// What is said of a program that this process has started itself.
    func answer(to request: ProgramRequest) -> String? { answer(to: request, []) }

    /// What is said of a program; `nil` if there is nothing to say.
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

    /// Does so for who is at the other end of `socket`, until that closes and all programs have ended.
    package func serve(_ socket: consuming UnixSocket) {
        var keepers: [Keeper] = []
        let length = ProgramRequest.length + 1
        while true {
            guard case .message(let octets, let given) = try? socket.receive(upTo: length), octets.count == length
            else { break }
            // What the answer is told by.
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
        private let socket: UnixSocket
        /// Of the last request: one is under way at a time.
        private let serial = Mutex<UInt8>(0)

        init(_ socket: consuming UnixSocket) {
            self.socket = socket
        }

        /// - Returns: whether it is so, or has been done; and what came along.
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
                    // An answer that came too late ends its program, as its control socket is closed here.
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

    /// How long an answer may take that is no preparation.
    private static let timeout = Duration.seconds(10)

    /// This process starts them itself.
    package init(_ host: ProgramHost) {
        way = .here(host)
    }

    /// A host at the other end of `socket` does.
    package init(over socket: consuming UnixSocket) {
        way = .there(Line(socket))
    }

    /// Starts a program, as `ProgramHost.start` does. Any thread may call.
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

    /// What a program has not, as yet, of what makes it ready; `nil` if it is.
    func missing(of request: ProgramRequest) throws(SystemError) -> String? {
        try answer(to: request, wishing: .readiness, within: Self.timeout)
    }

    /// Has a program as new for the next run; says why it is not.
    func renew(_ request: ProgramRequest, within limit: Duration) throws(SystemError) -> String? {
        try answer(to: request, wishing: .renewal, within: limit)
    }

    /// The end of what a program has printed, as a failure quotes it.
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
