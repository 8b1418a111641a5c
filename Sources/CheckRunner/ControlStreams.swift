import Glibc
import LinuxNet
import Sandbox

/// Standard input, output and error of the control run.
///
/// Its output is not the user's: it is discarded, or shown on the standard error stream where everything is shown, so that
/// nobody takes it for the client's. What the first run read of a file, the control run reads again; what it read of a pipe
/// is gone, and the control run finds nothing there.
struct ControlStreams: ~Copyable {
    private let inputStart: off_t
    private let inputIsTerminal: Bool
    private let null: Descriptor

    /// Taken before the first run.
    init() throws(CheckFailure) {
        inputStart = lseek(STDIN_FILENO, 0, SEEK_CUR)
        inputIsTerminal = isatty(STDIN_FILENO) == 1
        null = try CheckFailure.wrapping { () throws(SystemError) in try Descriptor.open("/dev/null", flags: O_RDWR) }
    }

    /// Whether the control run reads what the first run read.
    var inputIsReplayed: Bool { inputStart >= 0 || inputIsTerminal }

    /// To be called when the first run has ended; valid as long as this value lives.
    borrowing func rewound(showingOutput: Bool) -> StandardStreams {
        var streams =
            showingOutput
            ? StandardStreams(output: STDERR_FILENO) : StandardStreams(output: null.number, error: null.number)
        if inputStart >= 0 {
            lseek(STDIN_FILENO, inputStart, SEEK_SET)
        } else if !inputIsTerminal {
            streams.input = null.number
        }
        return streams
    }
}
