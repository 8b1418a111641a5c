// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Executables
import Sandbox

/// A note on Foundation on Linux, for a client that was given an IPv6 address in a URL and did nothing with it.
enum FoundationRemark {
    private static let text =
        "Until its repair in 2026 (swift-corelibs-foundation #5496) URLSession on Linux refuses an IPv6 address in the brackets of a URL, "
        + "on every network; on Apple's systems it does not. A name that has the address works."

    /// `nil` if this is not the cause, or cannot be known to be.
    static func remark(on verdict: Verdict, _ runs: Runs) -> String? {
        guard verdict.findings.contains(where: { $0.rule == .refusesGivenAddress }) else { return nil }
        let programs = [runs.first, runs.again].compactMap { $0?.calls?.programs }.joined()
        return programs.contains { hasAddressInURL($0) && usesURLSession($0) } ? text : nil
    }

    private static func hasAddressInURL(_ program: TracedProgram) -> Bool {
        program.arguments.contains { $0.contains("://[") }
    }

    /// Whether the program imports functions of FoundationNetworking from a shared library: Swift's symbols begin with the length and name
    /// of their module.
    private static func usesURLSession(_ program: TracedProgram) -> Bool {
        guard let file = FileBytes(path: OSString(program.executable)) else { return false }
        let imports = DynamicImports { count, offset in
            UInt64(exactly: offset).map { file.read(upTo: count, at: $0) } ?? []
        }
        return imports?.names.contains { $0.contains("20FoundationNetworking") } ?? false
    }
}
