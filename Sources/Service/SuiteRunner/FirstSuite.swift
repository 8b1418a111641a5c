// SPDX-License-Identifier: Apache-2.0
package import CheckRunner

/// The suite file that `ipv6check suite init` writes.
package enum FirstSuite {
    private static let text = """
        version: 1
        tests:
          - name: fetch
            command: [curl, -fsS, "http://shop.test/"]

        """

    /// Writes the file, unless it exists.
    package static func write(to path: String) throws(CheckFailure) {
        try NewFile.write(Array((EditorSchema.line + text).utf8), to: path)
    }
}
