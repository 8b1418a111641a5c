// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox

/// Standard input, output and error of the client's further runs.
///
/// Their output is not the user's: only errors are looked for in it. A further run reads again what the first one read of a file; what it
/// read of a pipe is gone.
struct RepeatStreams: ~Copyable {
    private let input: Input
    private let null: Descriptor

    private enum Input {
        case file(start: off_t)
        case terminal
        case stream(StreamState)
    }

    /// The state of a pipe or socket that can be seen without reading it. If it has not changed, nothing counts as read. This misses data
    /// that another process wrote and the client read in between, for which the writer must keep the pipe open.
    private struct StreamState: Equatable {
        let waiting: Int32
        let isHungUp: Bool

        static func current(_ descriptor: Int32) -> StreamState {
            var waiting: Int32 = 0
            _ = unsafe ioctl(descriptor, UInt(FIONREAD), &waiting)
            var source = pollfd(fd: descriptor, events: 0, revents: 0)
            let isHungUp = unsafe poll(&source, 1, 0) == 1 && source.revents & Int16(POLLHUP) != 0
            return StreamState(waiting: waiting, isHungUp: isHungUp)
        }
    }

    /// Taken before the first run.
    init() throws(CheckFailure) {
        let start = lseek(STDIN_FILENO, 0, SEEK_CUR)
        input =
            if start >= 0 {
                .file(start: start)
            } else if isatty(STDIN_FILENO) == 1 {
                .terminal
            } else {
                .stream(.current(STDIN_FILENO))
            }
        null = try CheckFailure.wrapping { () throws(SystemError) in try Descriptor.open("/dev/null", flags: O_RDWR) }
    }

    private var isTerminal: Bool { if case .terminal = input { true } else { false } }

    /// Whether the next run finds the same standard input as the first one. To be called between runs.
    var inputIsReplayed: Bool {
        switch input {
        case .file, .terminal: true
        case .stream(let before): before == .current(STDIN_FILENO)
        }
    }

    /// Where the last run stopped to read a file; `nil` for other inputs.
    var position: off_t? { if case .file = input { lseek(STDIN_FILENO, 0, SEEK_CUR) } else { nil } }

    /// Sets a file back to where a run stopped to read it, for a process that goes on reading there.
    func restore(_ position: off_t?) { if let position { lseek(STDIN_FILENO, position, SEEK_SET) } }

    /// The streams of the next run; valid as long as this value lives.
    /// - Parameters:
    ///   - output: takes what the client prints.
    ///   - isRequested: whether the user expects the run; otherwise it does not read the terminal.
    borrowing func rewound(to output: OutputPipe, isRequested: Bool) -> StandardStreams {
        var streams = StandardStreams(output: output.writingDescriptor, error: output.writingDescriptor)
        if case .file(let start) = input { lseek(STDIN_FILENO, start, SEEK_SET) }
        if !inputIsReplayed || !isRequested && isTerminal { streams.input = null.number }
        return streams
    }
}
