// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import Evidence
import FoundationEssentials
package import Reports
package import Sandbox
import Suites
import Text

/// Measures a client on the ladder of `EyeballsMark`: runs the ladder's suite, and reports the result of each step.
package struct EyeballsRun {
    private let command: [String]
    private let timeout: Duration?
    private let json: String?
    private let colour: ColourChoice

    /// - Parameter json: file for the marks; `-` is standard output.
    package init(_ command: [String], timeout: Duration?, json: String?, colour: ColourChoice) {
        (self.command, self.timeout, self.json, self.colour) = (command, timeout, json, colour)
    }

    /// - Returns: the exit code.
    package func run(_ inheritance: Inheritance) throws -> Int32 {
        let ladder = try ShippedSuite.eyeballs(command)
        let file = try ReportFile.prepared(json, option: "--json")
        var options = SuiteOptions()
        options.simulator = ChosenSimulator.own
        // One after the other: parallel runs would lengthen each other's times.
        options.jobs = 1
        options.annotations = .never
        options.colour = colour
        let style = Console.style(inheritance.environment, colour)
        var runs: [EyeballsMark.Step: [RunEvidence]] = [:]
        var marks: [EyeballsMark] = []
        let code = try ladder.run(options, timeout: timeout, inheritance: inheritance) { element, run in
            let name = element.test.name
            let isAgain = name.hasSuffix(Self.again)
            guard let step = EyeballsMark.Step(rawValue: isAgain ? String(name.dropLast(Self.again.count)) : name)
            else { return "" }
            runs[step, default: []].append(run)
            if step.isMeasuredTwice, !isAgain { return "" }
            let mark = EyeballsMark(step, runs[step] ?? [])
            marks.append(mark)
            return EyeballsTable.row(mark, style)
        }
        try file?.write { Array(try encodedForPeople(Document(command: command, steps: marks))) }
        // The suite's own code does not count: a client that does not implement version 3 fails a step that only version 3 requires.
        let isVerdict = [ExitCode.pass, .failsOnThisNetwork, .failsOnDualStackToo].contains { $0.rawValue == code }
        if !isVerdict { return code }
        return (marks.contains { $0.grade == .fails } ? ExitCode.failsOnThisNetwork : .pass).rawValue
    }

    /// Suffix of the name of a test that repeats a step.
    private static let again = "-again"

    private struct Document: Encodable {
        let schema = 1
        let tool = "ipv6check"
        let version = ProgramVersion.current
        let command: [String]
        let steps: [EyeballsMark]
    }
}
