// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import FoundationEssentials
package import Reports
package import Sandbox
import Suites
import Text

/// A client on the ladder of `EyeballsMark`: its suite is run, and what each step came to is told.
package struct EyeballsRun {
    private let command: [String]
    private let timeout: Duration?
    private let json: String?
    private let colour: ColourChoice

    /// - Parameter json: where the marks are written; `-` is standard output.
    package init(_ command: [String], timeout: Duration?, json: String?, colour: ColourChoice) {
        (self.command, self.timeout, self.json, self.colour) = (command, timeout, json, colour)
    }

    /// - Returns: the exit code.
    package func run(_ inheritance: Inheritance) throws -> Int32 {
        let ladder = try ShippedSuite.eyeballs(command)
        let file = try ReportFile.prepared(json, option: "--json")
        var options = SuiteOptions()
        options.simulator = ChosenSimulator.own
        // One after the other: they would lengthen each other's times.
        options.jobs = 1
        options.annotations = .never
        options.colour = colour
        var marks: [EyeballsMark] = []
        let code = try ladder.run(options, timeout: timeout, inheritance: inheritance) { element, run in
            if let step = EyeballsMark.Step(rawValue: element.test.name) { marks.append(EyeballsMark(step, run)) }
        }
        Console.write("\n" + EyeballsTable.render(marks, style: Console.style(inheritance.environment, colour)))
        try file?.write { Array(try encodedForPeople(Document(command: command, steps: marks))) }
        // On dual-stack nothing is left to compare a failure with.
        return code == ExitCode.failsOnDualStackToo.rawValue ? ExitCode.failsOnThisNetwork.rawValue : code
    }

    private struct Document: Encodable {
        let schema = 1
        let tool = "ipv6check"
        let version = ProgramVersion.current
        let command: [String]
        let steps: [EyeballsMark]
    }
}
