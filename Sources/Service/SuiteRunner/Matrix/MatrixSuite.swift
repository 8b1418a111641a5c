// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import ConfigurationText
import Diagnosis
import Glibc
import LinuxNet
package import Sandbox
import Suites
import Wire

/// What `ipv6check matrix` runs: the rows of draft-ietf-v6ops-ipv6-app-testing with one program, in a world with a server of each family.
package struct MatrixSuite {
    private let command: [String]

    /// Where the server's name goes in a command.
    package static let placeholder = "{host}"
    /// Before it, an IPv6 address is in brackets (RFC 3986 §3.2.2).
    private static let authority = "://" + placeholder
    /// In the rows, before the name of the row's server.
    private static let mark = "[PROGRAM "

    package init(_ command: [String]) throws(CheckFailure) {
        guard command.contains(where: { $0.contains(Self.placeholder) }) else {
            throw CheckFailure(
                "no word of the command has \(Self.placeholder), where the server's name goes: write ipv6check matrix -- "
                    + "\(command.joined(separator: " ")) 'http://\(Self.placeholder)/'",
                .usage)
        }
        self.command = command
    }

    /// A suite file, of whose folder the world is.
    private var text: String {
        String(decoding: PackageResources.rows_yaml, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(row).joined(separator: "\n")
    }

    private func row(_ line: Substring) -> String {
        guard let mark = line.firstRange(of: Self.mark), let end = line[mark.upperBound...].firstIndex(of: "]") else {
            return String(line)
        }
        let host = line[mark.upperBound..<end]
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
        try NewFile.write(PackageResources.world_yaml, to: "\(folder)/world.yaml")
        try NewFile.write(Array((EditorSchema.line + text).utf8), to: "\(folder)/ipv6check.yaml")
    }

    /// Runs the rows.
    /// - Parameter timeout: of each run; `nil` is as the rows have it.
    /// - Returns: the exit code.
    package func run(
        _ options: SuiteOptions, timeout: Duration?, inheritance: Inheritance
    ) throws -> Int32 {
        var suite: Suite
        let rows = Array(text.utf8)
        do throws(SuiteFileError) {
            suite = try Suite(yaml: rows, name: "matrix", rules: Rule.allNumbers)
        } catch {
            // The rows are good; a command can be too long.
            throw CheckFailure("the command cannot stand in a suite: \(error)", .usage)
        }
        if let timeout {
            for index in suite.tests.indices { suite.tests[index].timeout = timeout }
        }
        let folder = try LeasedFolder(in: "/tmp")
        defer { folder.delete(until: MonotonicClock.now() + .seconds(5)) }
        try NewFile.write(PackageResources.world_yaml, to: "\(folder.path)/world.yaml")
        suite.world = "\(folder.path)/world.yaml"
        return try SuiteRun(SuiteSource(suite, text: rows), options, inheritance: inheritance).run()
    }
}
