// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import TestResults
import Wire

/// The process that reads a report of inner tests: this executable, started again with a first argument that no user types.
///
/// A test runner's report contains whatever its tests produced. So its reader has no files, no rights and no network, and is a separate
/// process: a crash costs one case, and a large report delays no others.
package enum ImportProcess {
    /// The first argument.
    package static let argument = "__import"

    /// If this process is one: reads standard input, writes the results to standard output, and exits.
    package static func runIfAsked() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == argument else { return }
        guard arguments.count == 4, let format = ResultsFormat(rawValue: arguments[2]), let parent = Int32(arguments[3])
        else { exit(EX_USAGE) }
        do {
            _ = try Confinement.enter(endingWith: parent)
            let source = Descriptor(owning: STDIN_FILENO)
            let octets = try MemoryFile.contents(of: source, maximum: ResultsFormat.sizeLimit + 1)
            let results = format.results(in: octets)
            try Descriptor.writeAll(Array(JSONEncoder().encode(results)), to: STDOUT_FILENO)
            _exit(EXIT_SUCCESS)
        } catch {
            _exit(EX_IOERR)
        }
    }
}

/// A running import, as the suite sees it.
final class RunningImport {
    private let process: Int32
    private let answer: Descriptor
    private let deadline: Instant

    /// Enough for 64 MiB on a slow and busy machine.
    private static let limit = Duration.seconds(120)

    init(_ format: ResultsFormat, of source: borrowing Descriptor, heeding signals: SignalSet) throws(SystemError) {
        answer = try MemoryFile.make([])
        let null = try Descriptor.open("/dev/null", flags: O_RDWR)
        var spawning = Spawning(
            "/proc/self/exe",
            arguments: ["ipv6check", ImportProcess.argument, format.rawValue, "\(getpid())"].map { OSString($0) })
        spawning.descriptors = [
            (STDIN_FILENO, source.number), (STDOUT_FILENO, answer.number), (STDERR_FILENO, null.number),
        ]
        spawning.heeded = signals
        spawning.hasOwnGroup = true
        process = try spawning.start()
        deadline = MonotonicClock.now() + Self.limit
    }

    var nextDeadline: Instant { deadline }

    func killAtOnce() { kill(process, SIGKILL) }

    /// `nil` as long as it runs.
    func poll() -> InnerResults? {
        var status: Int32 = 0
        if unsafe waitpid(process, &status, WNOHANG) == 0 {
            if deadline <= MonotonicClock.now() { killAtOnce() }
            return nil
        }
        if let contents = try? MemoryFile.contents(of: answer), status == 0,
            let results = try? JSONDecoder().decode(InnerResults.self, from: Data(contents))
        {
            return results
        }
        return InnerResults(problem: "cannot be read: the process that reads it ended (status \(status))")
    }
}
