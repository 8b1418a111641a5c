// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Wire

/// A second process of this program, so that who handles what strangers send has no rights, and who has rights handles
/// nothing of that.
///
/// Theory of operation. `start` forks, without an exec, while this process has one thread. The two have a socket between them
/// and nothing else: of this process's descriptors the other keeps the standard error stream, or what the caller says. It ignores the
/// signals of the terminal, and ends when the socket closes, however this process ended. When it ends first, the socket shows it, and
/// `explanation` says how. To be confined (`Confinement`) is its own business, when it has what it needs.
package struct SecondProcess: ~Copyable {
    private var process: Int32?
    /// A second number of this process's end of the socket: the other process is told to end by it, whoever else has one.
    private let socket: Descriptor

    /// How long one that has been told to end may take, unless the caller says otherwise.
    private static let endingLimit = Duration.seconds(2)

    /// - Parameters:
    ///   - name: of the process, for `ps`; at most 15 octets are kept.
    ///   - own: this process's end of the socket.
    ///   - other: the other process's.
    ///   - kept: what the other process keeps beside all three standard streams, in ascending order; `nil` is standard error alone.
    ///   - body: what the other process does; it ends when that returns. It gets this process's number, too.
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

    /// How it ended, when the socket has closed.
    package mutating func explanation() -> String {
        guard let process = process.take() else { return "has ended" }
        let status = clinux_end_child(process, milliseconds(Self.endingLimit))
        let signal = status & 0x7f
        return signal != 0 ? "was killed by signal \(signal)" : "ended by itself with status \(status >> 8 & 0xff)"
    }

    /// Tells it to end, and does not wait; `end` does.
    package borrowing func tellToEnd() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// Ends it, and waits for that.
    package consuming func end() {}

    /// Tells it to end, waits for that, and ends it by SIGKILL if it takes longer.
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
