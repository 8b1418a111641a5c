// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
package import Wire

/// A program that serves a connection or a port.
///
/// Theory of operation. A keeper (clinux_keeper.h) starts the program in its own session and waits for its end. When the program ends,
/// when this value is destroyed, or when this process ends in any way, the keeper ends all processes that the program has started: by
/// SIGTERM, and after `Start.grace` by SIGKILL. Descriptors that were passed to the program close with the last of them. There is no
/// SIGTERM if the keeper itself is killed.
package struct ServerProgram: ~Copyable {
    private var kept: Client

    /// The initial state of a program. The caller can close its own descriptors once the program has been started.
    package struct Start {
        /// A path, as found by `Executable.find`.
        package var program: OSString
        package var arguments: [OSString]
        /// Environment variables in addition to this process's.
        package var variables: [(name: String, value: String)]
        /// Standard input and output, as for programs of inetd; if `nil`, the program's input is empty, and its output goes to its standard
        /// error.
        package var connection: Int32?
        /// A file that the program can open at `path`.
        package var file: Int32?
        /// Receives the program's standard error, up to `logLimit`; if `nil`, that is this process's standard error.
        package var log: Int32?
        /// Kept open until the program and all processes that it has started have ended.
        package var lease: Int32?
        /// Time between SIGTERM and SIGKILL.
        package var grace = Duration.zero

        package init(
            _ program: OSString, arguments: [OSString], variables: [(name: String, value: String)] = [],
            connection: Int32? = nil, file: Int32? = nil
        ) {
            self.program = program
            self.arguments = arguments
            self.variables = variables
            self.connection = connection
            self.file = file
        }

        /// The path at which a program finds the file that was passed to it.
        package static var path: String { "/dev/fd/\(clinux_server_file)" }
        /// Maximum size of a log, in octets.
        package static var logLimit: Int { Int(clinux_server_log_limit) }
    }

    package static func start(_ start: Start) throws(SystemError) -> ServerProgram {
        let kept = try keep(start)
        return ServerProgram(
            kept: Client(
                control: ControlChannel(kept.control), launcher: kept.process,
                endingLimit: endingLimit(grace: start.grace)))
    }

    /// A program's keeper, for another process to control.
    @frozen
    package struct Keeper: ~Copyable {
        package let process: Int32
        package let control: UnixSocket
    }

    /// Like `start`, for another process, which makes a `ServerProgram` of the control socket. The keeper is this process's child, and the
    /// caller must reap it.
    package static func keep(_ start: Start) throws(SystemError) -> Keeper {
        let pair = try UnixSocket.pair()
        var environment = Inheritance.environment()
        for (name, value) in start.variables { environment[name] = OSString(value) }
        var capabilities = CapabilitySets.current()
        // An ordinary user's process has capabilities in its own namespace only for making networks.
        if geteuid() != 0 { capabilities.drop() }
        let keeper = unsafe withCStrings([start.program]) { program in
            unsafe withCStrings(start.arguments) { arguments in
                unsafe withCStrings(environment.entries) { environment in
                    var keeper = unsafe clinux_keeper(
                        control: pair.second.descriptor, program: program[0], arguments: arguments,
                        environment: environment, ignored_signals: 0, blocked_signals: 0,
                        capabilities: capabilities.raw, is_shell: false, has_terminal: false, waits_for_go: false,
                        is_traced: false, leaves_terminal: false)
                    var server = clinux_server(
                        connection: start.connection ?? -1, file: start.file ?? -1, log: start.log ?? -1,
                        lease: start.lease ?? -1, grace: Int32(clamping: start.grace.wholeNanoseconds / 1_000_000))
                    return unsafe clinux_keep_server(&keeper, &server)
                }
            }
        }
        if keeper < 0 { throw SystemError("fork", Errno(errno)) }
        return Keeper(process: keeper, control: pair.first)
    }

    /// A program that was started by another process.
    package init(controlledOver socket: consuming UnixSocket) {
        kept = Client(control: ControlChannel(socket), launcher: nil)
    }

    /// Whether a keeper has ended; if so, it has been reaped.
    package static func hasEnded(_ keeper: Int32) -> Bool { waitpid(keeper, nil, WNOHANG) != 0 }

    /// Maximum time for a program and its keeper to end after they were told to.
    package static func endingLimit(grace: Duration) -> Duration { grace + .seconds(5) }

    /// Waits for the end of a keeper that has been told to end.
    package static func awaitEnd(_ keeper: Int32, until deadline: Instant) {
        clinux_end_child(keeper, MonotonicClock.milliseconds(until: deadline))
    }

    private init(kept: consuming Client) {
        self.kept = kept
    }

    /// Readable when the program may have ended; `poll` then returns how it ended.
    package var descriptor: Int32 { kept.descriptor }

    /// How the program ended, if it has.
    package mutating func poll() -> ExitReport? { kept.poll() }

    /// Ends the program, if it still runs, and all processes that it has started, and waits until that is done.
    package consuming func end() {}
}
