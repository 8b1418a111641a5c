// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Evidence
import Glibc
import Reports
package import Sandbox
import Text
import Topology

/// One run of a client on dual-stack, and the world file that is made from the names that it asked for and the hosts that it reached.
package struct Recording {
    private let options: CheckOptions
    private let path: String
    private let mayReplace: Bool
    private let inheritance: Inheritance

    /// - Parameters:
    ///   - path: the world file's; `-` is standard output.
    ///   - mayReplace: whether an existing file is replaced.
    package init(_ options: CheckOptions, to path: String, mayReplace: Bool, inheritance: Inheritance) {
        self.options = options
        self.path = path
        self.mayReplace = mayReplace
        self.inheritance = inheritance
    }

    /// - Returns: the exit code. The file is written even if the client fails.
    package func run() throws(CheckFailure) -> ExitCode {
        let isFile = path != ReportFile.standardOutput
        if isFile, !mayReplace, unsafe access(path, F_OK) == 0 {
            throw CheckFailure("--output \(path): it is there already; add --force to replace it", .usage)
        }
        let file = try ReportFile.prepared(path, option: "--output")
        let prepared = try ResolvedOptions(options, inheritance.environment, typed: inheritance.arguments)
        let session = try CheckSession(prepared, inheritance, isLeftAlone: true)
        let run = try session.run(
            RunRequest(
                schedule: .dualStack, timeout: options.timeout,
                streams: isFile ? .inherited : StandardStreams(output: STDERR_FILENO))
        ).evidence
        let world = RecordedWorld(run.seen)
        let text = Array(world.text(recordedFrom: shellQuoted(options.command)).utf8)
        try file?.write(text)
        let remarks = remarks(on: run) + (isFile ? worldProblems(text) : [])
        if isFile { Console.write("ipv6check: \(path): \(world.summary)\n") }
        for remark in remarks { Console.write("ipv6check: note: \(remark)\n") }
        let code: ExitCode =
            switch run.end {
            case .exited(0): .pass
            case .timedOut: .timeout
            case .exited, .killed: .failsOnDualStackToo
            }
        session.stop(before: code)
        return code
    }

    private func remarks(on run: RunEvidence) -> [String] {
        var remarks: [String] = []
        if !run.end.isSuccess {
            remarks.append("the client did not work (\(phrase(run.end))), so something may be missing")
        }
        if run.lost > 0 {
            remarks.append(
                "\(counted(run.lost, "observation was", "observations were")) lost, so something may be missing")
        }
        return remarks
    }

    /// The errors that the reader of world files finds: names and records come from strangers.
    private func worldProblems(_ text: [UInt8]) -> [String] {
        do throws(WorldFileError) {
            _ = try World(yaml: text, name: path)
            return []
        } catch {
            return ["it cannot be used as it is:\n\(error)"]
        }
    }
}
