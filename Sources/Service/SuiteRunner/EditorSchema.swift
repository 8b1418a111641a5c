// SPDX-License-Identifier: Apache-2.0
import CheckRunner

/// The schema with which an editor completes and checks a suite file.
enum EditorSchema {
    /// The first line of a new suite file; empty if no schema is installed with this executable.
    static var line: String { line(for: Installation.document("suite-schema.json")) }

    /// Empty for a path with a blank, which an editor would take as its end.
    static func line(for path: String?) -> String {
        guard let path, !path.contains(where: \.isWhitespace) else { return "" }
        return "# yaml-language-server: $schema=\(path)\n"
    }
}
