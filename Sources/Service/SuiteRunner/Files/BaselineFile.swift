// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import ConfigurationFiles
import ConfigurationText
import Glibc
import LinuxNet
import Suites

/// The baseline of a run: read before it, and changed after it on request.
struct BaselineFile {
    let path: String
    let action: BaselineChoice.Action?
    let baseline: Baseline
    /// Whether it has been written before.
    let exists: Bool

    private static let maximumSize = 64 << 20

    /// `nil` if no baseline is used.
    static func read(_ choice: BaselineChoice, of source: SuiteSource) throws(CheckFailure) -> BaselineFile? {
        if choice.action == BaselineChoice.Action.none { return nil }
        guard let path = choice.path ?? source.suite.baseline.map({ source.absolute($0) }) else {
            guard let action = choice.action else { return nil }
            throw CheckFailure(
                "--baseline \(action.rawValue): the suite names no baseline; add baseline: FILE to it, or --baseline FILE",
                .usage)
        }
        // The first `update` creates the file. Without `update` a missing file is an error: otherwise everything would be new by accident.
        if choice.action == .update, unsafe access(path, F_OK) != 0 {
            return BaselineFile(path: path, action: .update, baseline: Baseline(), exists: false)
        }
        return BaselineFile(path: path, action: choice.action, baseline: try baseline(in: path), exists: true)
    }

    private static func baseline(in path: String) throws(CheckFailure) -> Baseline {
        let octets: [UInt8]
        do throws(YAMLFileError) {
            octets = try readFile(path, maximum: maximumSize)
        } catch {
            throw CheckFailure("\(error); --baseline update writes the first one", .usage)
        }
        do throws(Baseline.Malformed) {
            return try Baseline(String(decoding: octets, as: UTF8.self))
        } catch {
            throw CheckFailure(
                "\(path):\(error.line): no entry of a baseline: \"\(error.text)\"; each has a rule, a test, a program and a target",
                .usage)
        }
    }

    func write(_ changed: Baseline) throws(CheckFailure) {
        do throws(SystemError) {
            try AtomicFile.open(path).commit(Array(changed.text.utf8))
        } catch {
            throw CheckFailure("--baseline: \(error)", .usage)
        }
    }
}
