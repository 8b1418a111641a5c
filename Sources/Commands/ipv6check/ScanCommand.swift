// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import FoundationEssentials
import Glibc
import LinuxNet
import Reports
import Sandbox
import SourceScan
import SourceWalk
import Text

struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Look through sources for what an IPv6-only network breaks.",
        usage: "ipv6check scan [options] [PATH …]",
        discussion: """
            Reads C, C++, Objective-C, Swift, Go, Python, Java, Kotlin, JavaScript, TypeScript, YAML, and the imports \
            of executables and libraries; runs nothing. Tests, examples, hidden folders, others' code, what was built and what \
            .gitignore names are passed over. Findings are notices: the exit code is 0 \
            with them, too, unless --fail-on says otherwise (then 1); 2 is a usage error.

            A comment accepts a finding of its line or the next: ipv6check:ignore V6C-001 -- the reason. So does a line of \
            .ipv6check-ignore: src/old/** V6C-001 -- the reason.
            """)

    @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"))
    var paths: [String] = ["."]

    @Flag(
        help:
            "Scan tests, examples, hidden and ignored folders, third-party code and build output as well, and show likely false positives."
    )
    var all = false

    @Option(help: ArgumentHelp("Write the findings as SARIF (- is standard output).", valueName: "file"))
    var sarif: String?

    @Option(help: ArgumentHelp("Write the findings as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if there is a finding: note for any, or numbers of rules with commas between them.",
            valueName: "what"), completion: .list(["note"] + SourceRule.allCases.map(\.rawValue)))
    var failOn: String?

    @Option(
        help: ArgumentHelp(
            "Mark findings confirmed by a run (its --json report), the less likely ones as well.",
            valueName: "report"))
    var met: String?

    private static let suppressionFile = ".ipv6check-ignore"
    private static let suppressionLimit = 1 << 20
    private static let reportLimit = 256 << 20

    func run() throws {
        let failing = try failingRules()
        let places = try metLocations()
        let suppressions = try suppressions()
        let result = try scanned(places, suppressions)
        let findings = result.findings.map { ReportedFinding(path: $0.path, finding: $0.finding, met: places) }
        let accepted = result.accepted.map {
            ReportedFinding(path: $0.place.path, finding: $0.place.finding, reason: $0.reason, met: places)
        }
        var notes = result.notes
        if result.inOtherLanguages > 0 {
            notes.append(
                "\(counted(result.inOtherLanguages, "source")) of other languages, which it cannot read, "
                    + "\(plural(result.inOtherLanguages, "was", "were")) passed over; run the program to examine these")
        }
        if result.omitted > 0 {
            notes.append("\(counted(result.omitted, "more finding is", "more findings are")) not shown")
        }
        if let json {
            try write(ScanJSON(findings + accepted, files: result.files, notes: notes).encoded(), to: json, "--json")
        }
        if let sarif {
            let pages = Entry.inheritance.environment["IPV6CHECK_PAGES"]?.description
            try write(ScanSARIF(findings + accepted, pages: pages).encoded(), to: sarif, "--sarif")
        }
        if json != "-", sarif != "-" {
            let lines = findings.map { Console.harmless($0.line) + "\n" }.joined()
            do throws(SystemError) { try Descriptor.writeAll(Array(lines.utf8), to: STDOUT_FILENO) } catch {
                // A reader that has seen enough is no error.
                if error.errno != Errno(EPIPE) {
                    throw CheckFailure("standard output: \(error.errno); the findings are not complete there", .usage)
                }
            }
        }
        for note in notes { Console.write("ipv6check: \(printable(note))\n") }
        Console.write("ipv6check: \(summary(findings, accepted: accepted.count, result))\n")
        if findings.contains(where: { failing.contains($0.finding.rule) }) { Glibc.exit(1) }
        let gaps = result.unread.count { path in
            !failing.allSatisfy { suppressions?.reason(for: $0, in: path) != nil }
        }
        if gaps > 0 {
            throw CheckFailure(
                "--fail-on: \(counted(gaps, "file or folder was", "files or folders were")) not scanned, so it is not known whether there is such "
                    + "a finding; name them in \(Self.suppressionFile), with a reason, to leave them out",
                .machineCannot)
        }
    }

    private func summary(_ findings: [ReportedFinding], accepted: Int, _ result: SourceTree.Result) -> String {
        var parts = ["\(counted(findings.count, "finding")) in \(counted(result.files, "file"))"]
        if met != nil { parts.append("\(findings.count { $0.isMet == true }) met by the run") }
        if accepted > 0 { parts.append("\(accepted) accepted") }
        if result.possible > 0 { parts.append("\(result.possible) more, less likely (show with --all)") }
        let hint = findings.first.map { "; 'ipv6check explain \($0.finding.rule.rawValue)' says what to do" } ?? ""
        return parts.joined(separator: ", ") + hint
    }

    /// `nil` without `--met`.
    private func metLocations() throws(CheckFailure) -> MetLocations? {
        guard let met else { return nil }
        let octets: [UInt8]
        do throws(SystemError) {
            octets = try Descriptor.contents(of: met, limit: Self.reportLimit)
        } catch {
            throw CheckFailure("--met \(met): \(error.errno); give the file that 'ipv6check --json FILE' wrote", .usage)
        }
        do {
            return try MetLocations(report: Data(octets))
        } catch {
            throw CheckFailure(
                "--met \(met): it is no report of a run; give the file that 'ipv6check --json FILE' wrote", .usage)
        }
    }

    private func failingRules() throws(CheckFailure) -> Set<SourceRule> {
        guard let failOn else { return [] }
        if failOn == "note" { return Set(SourceRule.allCases) }
        var rules: Set<SourceRule> = []
        for word in failOn.split(separator: ",", omittingEmptySubsequences: false) {
            guard let rule = SourceRule(rawValue: word.uppercased()) else {
                let known = SourceRule.allCases.map(\.rawValue).joined(separator: ", ")
                throw CheckFailure("--fail-on \(excerpt(failOn)): give note, or some of \(known)", .usage)
            }
            rules.insert(rule)
        }
        return rules
    }

    private func scanned(
        _ met: MetLocations?, _ suppressions: SuppressionFile?
    ) throws(CheckFailure) -> SourceTree.Result {
        do throws(SystemError) {
            return try SourceTree.scan(paths, takesAll: all, suppressions: suppressions) {
                met?.contains($0.finding, in: $0.path) == true
            }
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }

    /// The suppressions file of the working directory; `nil` if there is none.
    private func suppressions() throws(CheckFailure) -> SuppressionFile? {
        let octets: [UInt8]
        do throws(SystemError) {
            octets = try Descriptor.contents(of: Self.suppressionFile, limit: Self.suppressionLimit)
        } catch {
            if error.errno == Errno(ENOENT) { return nil }
            throw CheckFailure("\(Self.suppressionFile): \(error.errno)", .usage)
        }
        do throws(SuppressionFile.Mistake) {
            return try SuppressionFile(String(decoding: octets, as: UTF8.self))
        } catch {
            throw CheckFailure("\(Self.suppressionFile):\(error.line): \(error.text)", .usage)
        }
    }

    private func write(_ contents: some Sequence<UInt8>, to path: String, _ option: String) throws(CheckFailure) {
        do throws(SystemError) {
            if path == "-" {
                try Descriptor.writeAll(Array(contents), to: STDOUT_FILENO)
            } else {
                try AtomicFile.open(path).commit(Array(contents))
            }
        } catch {
            throw CheckFailure("\(option) \(path): \(error.errno); give a file that can be written", .usage)
        }
    }
}
