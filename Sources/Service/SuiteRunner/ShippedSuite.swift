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

/// A suite that comes with the program, for any command: its rows, and the world that they are in.
package struct ShippedSuite {
    private let name: String
    private let rows: String
    private let world: String
    private let command: [String]

    /// What `ipv6check matrix` runs: the rows of draft-ietf-v6ops-ipv6-app-testing, in a world with hosts of each family.
    /// - Parameter port: where the command listens, if it is a server: these have rows of their own.
    package static func matrix(_ command: [String], listeningAt port: UInt16?) throws(CheckFailure) -> ShippedSuite {
        let world = EmbeddedFile.matrixWorld
        guard let port else { return try ShippedSuite("matrix", EmbeddedFile.matrixRows, world, ofClient: command) }
        return ShippedSuite(
            name: "matrix", rows: EmbeddedFile.matrixServerRows.replacing("PORT", with: "\(port)"),
            world: world, command: command)
    }

    /// What `ipv6check eyeballs` runs: a name for each step of the ladder of `EyeballsMark`.
    package static func eyeballs(_ command: [String]) throws(CheckFailure) -> ShippedSuite {
        try ShippedSuite(
            "eyeballs", EmbeddedFile.eyeballsLadder, EmbeddedFile.eyeballsWorld, ofClient: command)
    }

    /// Where the server's name goes in a command.
    package static let placeholder = "{host}"
    /// Before it, an IPv6 address is in brackets (RFC 3986 §3.2.2).
    private static let authority = "://" + placeholder
    /// In the rows, before the name of the row's server, if there is one.
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

    /// A suite file, of whose folder the world is.
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

    /// Writes the suite and its world into a folder, where neither may be.
    package func write(to folder: String) throws(CheckFailure) {
        // It may be there.
        _ = unsafe mkdir(folder, 0o777)
        try NewFile.write(Array(world.utf8), to: "\(folder)/world.yaml")
        try NewFile.write(Array((EditorSchema.line + text).utf8), to: "\(folder)/ipv6check.yaml")
    }

    /// Runs the rows.
    /// - Parameter timeout: of each run; `nil` is as the rows have it.
    /// - Parameter telling: what is said of a case that has ended, by its first run, in the place of its verdict.
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
            // The rows are good; a command can be too long.
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
