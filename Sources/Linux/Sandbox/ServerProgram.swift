internal import CLinux
internal import Glibc
package import LinuxNet

/// A program that serves one connection, which is its standard input and output, as inetd's programs do.
///
/// Theory of operation. A keeper (clinux_keeper.h) starts the program in a session of its own and waits for its end. When
/// the program ends, when this value is destroyed, or when this process ends, however it does, the keeper ends all that the program
/// has started; with the last of them the connection is closed. The program's standard error stream is this process's.
package struct ServerProgram: ~Copyable {
    private var kept: Client

    /// Starts `program`. The caller can close its own number for the connection at once.
    /// - Parameters:
    ///   - program: a path, as found by `Executable.find`.
    ///   - variables: what its environment has beyond this process's.
    package static func start(
        _ program: OSString, arguments: [OSString], variables: [(name: String, value: String)], connection: Int32
    ) throws(SystemError) -> ServerProgram {
        let kept = try keep(program, arguments: arguments, variables: variables, connection: connection)
        return ServerProgram(kept: Client(control: ControlChannel(kept.control), launcher: kept.process))
    }

    /// A program's keeper, for another process to control.
    @frozen
    package struct Keeper: ~Copyable {
        package let process: Int32
        package let control: UnixSocket
    }

    /// As `start`, for another process, which makes a `ServerProgram` of the control socket. Of the keeper, this process's child,
    /// the caller takes care.
    package static func keep(
        _ program: OSString, arguments: [OSString], variables: [(name: String, value: String)], connection: Int32
    ) throws(SystemError) -> Keeper {
        let pair = try UnixSocket.pair()
        var environment = Inheritance.environment()
        for (name, value) in variables { environment[name] = OSString(value) }
        var capabilities = CapabilitySets.current()
        // What an ordinary user's process has in a namespace of its own is for making networks.
        if geteuid() != 0 { capabilities.drop() }
        let keeper = unsafe withCStrings([program]) { program in
            unsafe withCStrings(arguments) { arguments in
                unsafe withCStrings(environment.entries) { environment in
                    var keeper = unsafe clinux_keeper(
                        control: pair.second.descriptor, program: program[0], arguments: arguments,
                        environment: environment, ignored_signals: 0, blocked_signals: 0,
                        capabilities: capabilities.raw, is_shell: false, is_traced: false)
                    return unsafe clinux_keep_server(&keeper, connection)
                }
            }
        }
        if keeper < 0 { throw SystemError("fork", Errno(errno)) }
        return Keeper(process: keeper, control: pair.first)
    }

    /// A program that another process has started.
    package init(controlledOver socket: consuming UnixSocket) {
        kept = Client(control: ControlChannel(socket), launcher: nil)
    }

    /// Whether a keeper has ended, which is no more then.
    package static func hasEnded(_ keeper: Int32) -> Bool { waitpid(keeper, nil, WNOHANG) != 0 }

    /// Waits for the end of a keeper that has been told to end.
    package static func awaitEnd(_ keeper: Int32, milliseconds: Int32) { clinux_end_child(keeper, milliseconds) }

    private init(kept: consuming Client) {
        self.kept = kept
    }

    /// Readable when the program may have ended; `poll` then says how.
    package var descriptor: Int32 { kept.descriptor }

    /// How the program ended, if it has.
    package mutating func poll() -> Ending? { kept.poll() }

    /// Ends the program, where it still runs, and all that it has started, and waits until that is done.
    package consuming func end() {}
}
