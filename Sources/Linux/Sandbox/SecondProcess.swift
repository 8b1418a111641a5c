// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Wire

/// A second process of this program, so that the process that handles untrusted input has no rights, and the one that has rights
/// handles no such input.
///
/// Theory of operation. `start` forks, without an exec, while this process has one thread. The two processes share only a socket: of
/// this process's descriptors the other one keeps standard error, or those that the caller lists. It ignores the signals of the
/// terminal, and ends when the socket closes, however this process ended. If it ends first, the socket closes, and `explanation`
/// returns how it ended. It confines itself (`Confinement`) once it has everything that it needs.
package struct SecondProcess: ~Copyable {
    private var process: Int32?
    /// A second descriptor of this process's end of the socket. Shutting it down ends the other process, even if other processes have one.
    private let socket: Descriptor

    /// Maximum time for the other process to end after it was told to, unless the caller passes a limit.
    private static let endingLimit = Duration.seconds(2)

    /// - Parameters:
    ///   - name: the process's name for `ps`; at most 15 octets are kept.
    ///   - own: this process's end of the socket.
    ///   - other: the other process's end.
    ///   - kept: descriptors that the other process keeps in addition to all three standard streams, in ascending order; `nil` keeps
    ///     standard error only.
    ///   - body: the code of the other process, which ends when it returns. It also gets this process's number.
    package static func start(
        name: String, from own: borrowing UnixSocket, to other: consuming UnixSocket,
        keeping kept: [Int32]? = nil, _ body: (consuming UnixSocket, _ parent: Int32) -> Void
    ) throws(SystemError) -> SecondProcess {
        let parent = getpid()
        let number = fcntl(own.descriptor, F_DUPFD_CLOEXEC, 3)
        if number < 0 { throw SystemError("fcntl(F_DUPFD_CLOEXEC)", Errno(errno)) }
        let socket = Descriptor(owning: number)
        let process = clinux_fork()
        if process < 0 { throw SystemError("fork", Errno(errno)) }
        if process == 0 {
            unsafe clinux_name_thread(name)
            run(other, parent, keeping: kept, body)
        }
        return SecondProcess(process: process, socket: socket)
    }

    private init(process: Int32, socket: consuming Descriptor) {
        self.process = process
        self.socket = socket
    }

    private static func run(
        _ socket: consuming UnixSocket, _ parent: Int32, keeping kept: [Int32]?,
        _ body: (consuming UnixSocket, Int32) -> Void
    ) -> Never {
        Signals.ignore([.hangUp, .interrupt, .quit, .terminate, .brokenPipe, .user1])
        do throws(SystemError) {
            if kept == nil, clinux_drop_standard_streams() != 0 { throw SystemError("dup2", Errno(errno)) }
            let numbers = ((kept ?? []) + [socket.descriptor]).sorted()
            if unsafe clinux_close_others(numbers, numbers.count) != 0 {
                throw SystemError("close_range", Errno(errno))
            }
            try Signals.send(SIGKILL, whenParentEnds: parent)
        } catch {
            _exit(EXIT_FAILURE)
        }
        body(socket, parent)
        _exit(EXIT_SUCCESS)
    }

    /// How the process ended, once the socket has closed.
    package mutating func explanation() -> String {
        guard let process = process.take() else { return "has ended" }
        let status = clinux_end_child(process, milliseconds(Self.endingLimit))
        let signal = status & 0x7f
        return signal != 0 ? "was killed by signal \(signal)" : "ended by itself with status \(status >> 8 & 0xff)"
    }

    /// Tells the process to end, without waiting; `end` waits.
    package borrowing func tellToEnd() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// Ends the process, and waits for its end.
    package consuming func end() {}

    /// Tells the process to end, waits for that, and kills it with SIGKILL if it takes longer.
    package mutating func end(within limit: Duration) {
        guard let process = process.take() else { return }
        tellToEnd()
        clinux_end_child(process, milliseconds(limit))
    }

    deinit {
        guard let process else { return }
        tellToEnd()
        clinux_end_child(process, milliseconds(Self.endingLimit))
    }
}

private func milliseconds(_ duration: Duration) -> Int32 {
    Int32(clamping: duration.wholeNanoseconds / 1_000_000)
}
