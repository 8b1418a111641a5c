// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import ConfigurationFiles
import ConfigurationText
import Control
import Diagnosis
import FoundationEssentials
import Glibc
import LinuxNet
import Suites
import Terminal
import Text

/// The options of the gate at the end of a gateway's run.
struct GateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("At the end, write a JSON report of all clients to this file.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "With --report: fail where a client has a finding of this weight, or a heavier one.", valueName: "weight"))
    var failOn: Severity?

    @Option(
        help: ArgumentHelp(
            "With --report: accept the findings in this file; update writes those of this run to it. Can be repeated.",
            valueName: "file|update"))
    var baseline: [String] = []

    @Option(
        help: ArgumentHelp("With --report: names of clients, in lines of an address and a name.", valueName: "file"))
    var names: String?

    func validate() throws {
        if report == nil, failOn != nil || !baseline.isEmpty || names != nil {
            throw ValidationError("--fail-on, --baseline and --names go with --report")
        }
        if baseline.count(where: { $0 != "update" }) > 1 { throw ValidationError("--baseline takes one file") }
        if baseline == ["update"] { throw ValidationError("--baseline update needs --baseline FILE beside it") }
    }

    /// `nil` if there is no gate.
    func ending() throws(CommandFailure) -> GatewayEnding? {
        guard let report else { return nil }
        let isUpdated = baseline.contains("update")
        let path = baseline.first { $0 != "update" }
        var known: Baseline?
        if let path, !isUpdated || FileManager.default.fileExists(atPath: path) { known = try read(path) }
        do throws(SystemError) {
            return GatewayEnding(
                file: try AtomicFile.open(report), names: names,
                gate: GatewayReport.Gate(level: failOn ?? .error, baseline: known),
                updated: isUpdated ? path : nil)
        } catch {
            throw CommandFailure(description: "--report: \(error)", status: .usage)
        }
    }

    private static let maximumSize = 64 << 20

    private func read(_ path: String) throws(CommandFailure) -> Baseline {
        do {
            return try Baseline(String(decoding: readFile(path, maximum: Self.maximumSize), as: UTF8.self))
        } catch let error as Baseline.Malformed {
            throw CommandFailure(
                description: "\(path):\(error.line): no entry of a baseline: \"\(error.text)\"", status: .usage)
        } catch {
            throw CommandFailure(description: "--baseline: \(error)", status: .usage)
        }
    }
}

/// The work to do when the gateway has ended.
struct GatewayEnding: ~Copyable {
    let file: AtomicFile
    /// The file of names, read at the end: clients start after the gateway.
    let names: String?
    let gate: GatewayReport.Gate
    /// The baseline file to write.
    let updated: String?

    consuming func end(with clients: GatewayClients?) throws(CommandFailure) {
        guard let clients else {
            throw CommandFailure(description: "the simulator's process has left no report", status: .machineCannot)
        }
        var gate = gate
        let known = try names.map { path throws(CommandFailure) in try ClientNames(file: path) } ?? ClientNames()
        if let updated {
            var baseline = gate.baseline ?? Baseline()
            baseline.add(GatewayReport(clients, names: known, gate: gate).dependencies)
            try write(baseline, to: updated)
            gate.baseline = baseline
        }
        let report = GatewayReport(clients, names: known, gate: gate)
        for line in GatewayFindingsText(clients: report.clients).lines { Notice.show(line) }
        Notice.show("nat64sim gateway: \(report.summary)")
        do {
            try file.commit(try JSONText.encode(report))
        } catch {
            throw CommandFailure(description: "--report: \(error)", status: .machineCannot)
        }
        if report.exitCode != 0 { exit(report.exitCode) }
    }

    private func write(_ baseline: Baseline, to path: String) throws(CommandFailure) {
        do throws(SystemError) {
            try AtomicFile.open(path).commit(Array(baseline.text.utf8))
        } catch {
            throw CommandFailure(description: "--baseline: \(error)", status: .machineCannot)
        }
    }
}
