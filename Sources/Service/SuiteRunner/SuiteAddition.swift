// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import ConfigurationFiles
import ConfigurationText
import DNSWire
import Diagnosis
import Evidence
import Glibc
import LinuxNet
import Reports
package import Sandbox
import Suites
import Text

/// `ipv6check suite add`: runs a command like a test, and adds it to the suite file.
package struct SuiteAddition {
    /// As the user gave it; `nil` searches for a file, and makes one if there is none.
    package var path: String?
    /// `nil` takes a name from the command.
    package var name: String?
    package var command: [String]

    package init(path: String?, name: String?, command: [String]) {
        self.path = path
        self.name = name
        self.command = command
    }

    /// - Returns: a line that describes the addition.
    package func run(_ inheritance: Inheritance) throws(CheckFailure) -> String {
        let source = try existing()
        let file = source?.path ?? path ?? "ipv6check.yaml"
        let absolute = file.hasPrefix("/") ? file : SuiteSource.workingDirectory + "/" + file
        let text = try source.map { source throws(CheckFailure) in try Self.text(source.path) } ?? SuiteInsertion.empty
        let rules = Rule.allNumbers
        var test = SuiteTest(
            name: try testName(taken: Set(source?.suite.tests.map(\.name) ?? [])), command: .words(command))
        // Check first, so that nothing is run in vain.
        _ = try Self.inserted(test, [], text, file, rules)
        let evidence = try Self.evidence(
            of: command, in: source?.folder ?? SuiteSource.workingDirectory,
            world: source?.suite.world.flatMap { source?.absolute($0) }, inheritance)
        guard evidence.end.isSuccess else {
            throw CheckFailure(
                "failed on nat64, \(file) is unchanged. To see why: ipv6check -- \(printable(shellQuoted(command)))",
                .failsOnThisNetwork)
        }
        test.isOffline = evidence.isSilent == true
        let names = Set(evidence.seen.questions.map { "\($0.question.name)" }).sorted()
            .map { $0.count > 1 && $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        let changed = (source == nil ? EditorSchema.line : "") + (try Self.inserted(test, names, text, file, rules))
        do throws(SystemError) {
            // The command ran in the suite's folder, so the path must be absolute.
            try AtomicFile.open(absolute).commit(Array(changed.utf8))
        } catch {
            throw CheckFailure("\(error); nothing was changed", .usage)
        }
        if test.isOffline { return "\(file): added test \"\(test.name)\", with offline: true, as it uses no network" }
        return "\(file): added test \"\(test.name)\""
            + (names.isEmpty ? "" : " (looks up \(enumerated(names, limit: 5)))")
    }

    /// `nil` if there is no suite file, which is no error here.
    private func existing() throws(CheckFailure) -> SuiteSource? {
        if let path { return unsafe access(path, F_OK) == 0 ? try SuiteSource(path) : nil }
        return SuiteSource.isThere ? try SuiteSource(nil) : nil
    }

    private static func text(_ path: String) throws(CheckFailure) -> String {
        do throws(YAMLFileError) {
            return String(decoding: try readFile(path, maximum: 1 << 20), as: UTF8.self)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }

    private static func inserted(
        _ test: SuiteTest, _ names: [String], _ text: String, _ file: String, _ rules: [String]
    ) throws(CheckFailure) -> String {
        do throws(SuiteInsertion.Refusal) {
            return try SuiteInsertion.inserting(test, askingFor: names, into: text, name: file, rules: rules)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }

    /// The program's name and its first word that is no option: `shop-fetch`.
    private func testName(taken: Set<String>) throws(CheckFailure) -> String {
        if let name {
            if taken.contains(name) { throw CheckFailure("--name \(name): there is a test of this name", .usage) }
            return name
        }
        let program = command[0].split(separator: "/").last.map(String.init) ?? "test"
        let word = command.dropFirst().first { !$0.hasPrefix("-") && !$0.contains("/") && $0.utf8.count <= 30 }
        let letters = [program, word].compactMap(\.self).joined(separator: "-").utf8.map { octet -> UInt8 in
            switch octet {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "."): octet
            default: UInt8(ascii: "-")
            }
        }
        var base = String(
            decoding: letters.prefix(90).drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }, as: UTF8.self)
        if base.isEmpty { base = "test" }
        if !taken.contains(base) { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }

    /// Runs the command like a test: in the suite file's folder, without standard input.
    private static func evidence(
        of command: [String], in folder: String, world: String?, _ inheritance: Inheritance
    ) throws(CheckFailure) -> RunEvidence {
        guard unsafe chdir(folder) == 0 else { throw CheckFailure("\(folder): \(Errno(errno))", .usage) }
        do throws(SystemError) {
            let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
            dup2(null.number, STDIN_FILENO)
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        var options = CheckOptions()
        options.command = command
        options.network = .nat64
        options.timeout = SuiteTest(name: "", command: .words([])).timeout
        options.worldFile = world
        options.simulator = ChosenSimulator.own
        return try FinishedRun(of: options, grace: .seconds(5), inheritance: inheritance).evidence
    }
}
