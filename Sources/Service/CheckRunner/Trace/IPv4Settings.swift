// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Text

/// Finds the lines of tools' configuration files that keep the tools to IPv4.
enum IPv4Settings {
    /// Octets of a file, and files that are read.
    private static let limits = (octets: 64 << 10, files: 64)

    /// Records the line that keeps each program to IPv4, if one does: of the files that it opened, the first such line.
    static func complete(_ run: inout RunEvidence) {
        guard var calls = run.calls else { return }
        let files = calls.openedFiles.lazy.compactMap { [programs = calls.programs] file in
            programs.indices.contains(file.program) ? isSetting(of: programs[file.program]).map { (file, $0) } : nil
        }
        for (file, isSetting) in files.prefix(limits.files) where calls.programs[file.program].keptToIPv4At == nil {
            guard let octets = AddressOrigins.contents(file.path, limit: limits.octets) else { continue }
            let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            if let index = lines.firstIndex(where: { isSetting(words(of: $0)) }) {
                calls.programs[file.program].keptToIPv4At = StackFrame(file: file.path, line: index + 1)
            }
        }
        run.calls = calls
    }

    /// Whether the words of a line of a tool's configuration keep it to IPv4; `nil` for other programs.
    private static func isSetting(of program: TracedProgram) -> (([String]) -> Bool)? {
        switch baseName(program.executable) {
        // curl(1), -K: the leading dashes may be left out.
        case "curl": return { [["ipv4"], ["--ipv4"], ["-4"]].contains($0) }
        case "wget": return { $0 == ["inet4_only", "on"] || $0 == ["inet4-only", "on"] }
        case "ssh": return { $0 == ["addressfamily", "inet"] }
        case "aria2c": return { $0 == ["disable-ipv6", "true"] }
        default: return nil
        }
    }

    /// In lower case, without spaces and equals signs.
    private static func words(of line: ArraySlice<UInt8>) -> [String] {
        String(decoding: line.prefix(200), as: UTF8.self).lowercased().split { " \t=\r".contains($0) }.map(String.init)
    }
}
