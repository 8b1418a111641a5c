// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import ConfigurationText
import Diagnosis
package import Evidence
import Glibc
import LinuxNet
package import Sandbox
package import Suites
import Text
import Wire

/// A suite that is part of the program, for any command: its rows and their world.
package struct ShippedSuite {
    private let name: String
    private let rows: String
    private let world: String
    private let command: [String]

    /// The suite of `ipv6check matrix`: the rows of draft-ietf-v6ops-ipv6-app-testing, in a world with hosts of each family.
    /// - Parameter port: the command's port, if it is a server: for these there are different rows.
    package static func matrix(_ command: [String], listeningAt port: UInt16?) throws(CheckFailure) -> ShippedSuite {
        let world = EmbeddedFile.matrixWorld
        guard let port else { return try ShippedSuite("matrix", EmbeddedFile.matrixRows, world, ofClient: command) }
        return ShippedSuite(
            name: "matrix", rows: EmbeddedFile.matrixServerRows.replacing("PORT", with: "\(port)"),
            world: world, command: command)
    }

    /// The suite of `ipv6check eyeballs`: a name for each step of the ladder of `EyeballsMark`.
    package static func eyeballs(_ command: [String]) throws(CheckFailure) -> ShippedSuite {
        try ShippedSuite(
            "eyeballs", EmbeddedFile.eyeballsLadder, EmbeddedFile.eyeballsWorld, ofClient: command)
    }

    /// Placeholder for the server's name in a command.
    package static let placeholder = "{host}"
    /// After `://`, an IPv6 address is put in brackets (RFC 3986 §3.2.2).
    private static let authority = "://" + placeholder
    /// Placeholder for the command in the rows; may be followed by the name of the row's server.
    private static let mark = "[PROGRAM"

    private init(name: String, rows: String, world: String, command: [String]) {
        (self.name, self.rows, self.world, self.command) = (name, rows, world, command)
    }

    private init(
        _ name: String, _ rows: String, _ world: String, ofClient command: [String]
    ) throws(CheckFailure) {
        guard command.contains(where: { $0.contains(Self.placeholder) }) else {
            throw CheckFailure(
                "no word of the command has \(Self.placeholder), where the server's name goes: write ipv6check \(name) -- "
                    + "\(command.joined(separator: " ")) 'http://\(Self.placeholder)/'",
                .usage)
        }
        self.init(name: name, rows: rows, world: world, command: command)
    }

    /// The text of a suite file, with the world in the same folder.
    private var text: String {
        rows.split(separator: "\n", omittingEmptySubsequences: false).map(row).joined(separator: "\n")
    }

    private func row(_ line: Substring) -> String {
        guard let mark = line.firstRange(of: Self.mark), let end = line[mark.upperBound...].firstIndex(of: "]") else {
            return String(line)
        }
        let host = line[mark.upperBound..<end].drop { $0 == " " }
        let words = command.map { word in
            SuiteInsertion.scalar(
                word.replacing(Self.authority, with: "://" + (host.contains(":") ? "[\(host)]" : host))
                    .replacing(Self.placeholder, with: host))
        }
        return line[..<mark.lowerBound] + "[" + words.joined(separator: ", ") + line[end...]
    }

    /// Writes the suite and its world into a folder, in which neither may exist.
    package func write(to folder: String) throws(CheckFailure) {
        // The folder may exist.
        _ = unsafe mkdir(folder, 0o777)
        try NewFile.write(Array(world.utf8), to: "\(folder)/world.yaml")
        try NewFile.write(Array((EditorSchema.line + text).utf8), to: "\(folder)/ipv6check.yaml")
    }

    /// Runs the rows.
    /// - Parameter timeout: of each run; `nil` is that of the rows.
    /// - Parameter telling: returns the text to show for a case that has ended, instead of its verdict, by its first run.
    /// - Returns: the exit code.
    package func run(
        _ options: SuiteOptions, timeout: Duration?, inheritance: Inheritance,
        telling: ((SuiteCase, RunEvidence) -> String)? = nil
    ) throws -> Int32 {
        var suite: Suite
        let text = Array(text.utf8)
        do throws(SuiteFileError) {
            suite = try Suite(yaml: text, name: name, rules: Rule.allNumbers)
        } catch {
            // The rows are valid, but a command can be too long.
            throw CheckFailure("the command cannot stand in a suite: \(error)", .usage)
        }
        if let timeout {
            for index in suite.tests.indices { suite.tests[index].timeout = timeout }
        }
        let folder = try LeasedFolder(in: "/tmp")
        defer { folder.delete(until: MonotonicClock.now() + .seconds(5)) }
        try NewFile.write(Array(world.utf8), to: "\(folder.path)/world.yaml")
        suite.world = "\(folder.path)/world.yaml"
        return try SuiteRun(SuiteSource(suite, text: text), options, inheritance: inheritance, telling: telling).run()
    }
}
