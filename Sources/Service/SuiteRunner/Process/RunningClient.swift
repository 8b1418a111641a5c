// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import Suites
import Wire

/// A running run process, as the suite sees it.
final class RunningClient {
    let start = MonotonicClock.now()
    private let process: Int32
    private let answerFile: Descriptor
    private let output: OutputPipe
    private let errors: OutputPipe
    /// End of its maximum time.
    private let deadline: Instant
    private var isKilled = false
    private(set) var isCancelled = false

    /// Maximum time of a run besides its client's. The run process's own limits normally end it earlier.
    private static let overhead = Duration.seconds(120)

    /// The result of the run process.
    enum End {
        case ran(RunAnswer, ClientOutput)
        /// It ended without an answer.
        case crashed(String)
    }

    /// - Parameters:
    ///   - environment: the client's.
    ///   - copyingOutput: whether its whole standard output is wanted.
    init(
        _ order: RunOrder, environment: [OSString], heeding signals: SignalSet, copyingOutput: Bool
    ) throws(SystemError) {
        let contents: [UInt8]
        do {
            contents = try Array(JSONEncoder().encode(order))
        } catch {
            preconditionFailure("an order holds nothing that JSON cannot: \(error)")
        }
        let orderFile = try MemoryFile.make(contents)
        answerFile = try MemoryFile.make([])
        let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
        output = try OutputPipe.capturing(isCopied: copyingOutput)
        errors = try OutputPipe.capturing()
        var spawning = Spawning(
            "/proc/self/exe",
            arguments: ["ipv6check", RunProcess.argument, "\(getpid())", "\(orderFile.number)", "\(answerFile.number)"]
                .map { OSString($0) })
        spawning.descriptors = [
            (STDIN_FILENO, null.number), (STDOUT_FILENO, output.writingDescriptor),
            (STDERR_FILENO, errors.writingDescriptor),
            (orderFile.number, orderFile.number), (answerFile.number, answerFile.number),
        ]
        spawning.heeded = signals
        spawning.environment = environment
        process = try spawning.start()
        output.closeWritingEnd()
        errors.closeWritingEnd()
        let fixtures = [order.worldFixtures, order.clientFixtures].compactMap { $0?.overhead }.reduce(Duration.zero, +)
        deadline = MonotonicClock.now() + order.timeout + order.grace + fixtures + Self.overhead
    }

    var descriptors: [Int32] { [output.descriptor, errors.descriptor] }

    /// Time of the next call of `poll` at the latest.
    var nextDeadline: Instant? { isKilled ? nil : deadline }

    func read() {
        output.read()
        errors.read()
    }

    /// Asks the client to end; it gets some seconds for that.
    func cancel() {
        isCancelled = true
        kill(process, SIGTERM)
    }

    func killAtOnce() {
        isKilled = true
        kill(process, SIGKILL)
    }

    /// Its whole output; `nil` if that was not wanted.
    func takeOutput() throws(SystemError) -> Descriptor? { try output.takeCopy() }

    /// `nil` as long as it runs.
    func poll() -> End? {
        var status: Int32 = 0
        let ended = unsafe waitpid(process, &status, WNOHANG)
        if ended == 0 {
            if !isKilled, deadline <= MonotonicClock.now() { killAtOnce() }
            return nil
        }
        output.finish()
        errors.finish()
        let printed = ClientOutput(output: output.text, errors: errors.text)
        if let contents = try? MemoryFile.contents(of: answerFile), !contents.isEmpty,
            let answer = try? JSONDecoder().decode(RunAnswer.self, from: Data(contents))
        {
            return .ran(answer, printed)
        }
        let how =
            isKilled
            ? "did not end in time, and was killed"
            : status & 0x7f != 0 ? "was killed by signal \(status & 0x7f)" : "ended with status \(status >> 8 & 0xff)"
        let said = (printed.errors.start + printed.errors.end).split(separator: "\n").last ?? ""
        return .crashed("the process that runs the client \(how)" + (said.isEmpty ? "" : ": \(said.prefix(200))"))
    }
}
