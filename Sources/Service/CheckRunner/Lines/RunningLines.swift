// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox
import Wire

/// A running lines process, as the runner sees it.
struct RunningLines: ~Copyable {
    private let process: Int32
    private let answers: Descriptor
    private let deadline: Instant

    init(_ order: LinesOrder, by executable: String) throws(SystemError) {
        let null = try Descriptor.open("/dev/null", flags: O_RDWR)
        let source = try MemoryFile.make(order.octets)
        var ends: [Int32] = [-1, -1]
        // Not a pipe: sockets are close-on-exec from the beginning, whatever other threads start.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", Errno(errno)) }
        let reader = Descriptor(owning: ends[0])
        let writer = Descriptor(owning: ends[1])
        var spawning = Spawning(
            executable, arguments: ["ipv6check", LinesProcess.argument, "\(getpid())"].map { OSString($0) })
        spawning.descriptors = [
            (STDIN_FILENO, source.number), (STDOUT_FILENO, writer.number), (STDERR_FILENO, null.number),
        ]
        spawning.hasOwnGroup = true
        // Without the user's environment: a variable may send libdw to servers, or the loader to libraries.
        spawning.environment = []
        process = try spawning.start()
        answers = reader
        deadline = MonotonicClock.now() + LinesProcess.timeLimit
    }

    /// Passes on each line as it comes, until the process ends, its time is over or its output exceeds `limit` octets. Then the process has
    /// ended.
    /// - Returns: why it did not end by itself; `nil` if it did. A file may make it crash, or run for ever.
    consuming func read(limit: Int, _ take: (ArraySlice<UInt8>) -> Void) -> String? {
        var hasEnded = false
        var rest: [UInt8] = []
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while total <= limit, waitForInput(answers.number, until: deadline) {
            let number = answers.number
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                hasEnded = true
                break
            }
            total += count
            rest += buffer.prefix(count)
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                take(rest[start..<end])
                start = end + 1
            }
            rest.removeFirst(start)
        }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard hasEnded else {
            return total > limit
                ? "there is too much to say of them"
                : "it took longer than \(LinesProcess.timeLimit.components.seconds) s"
        }
        let signal = status & 0x7f
        return signal == 0 ? nil : "a file that is read for them is broken (signal \(signal))"
    }
}
