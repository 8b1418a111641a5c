// SPDX-License-Identifier: Apache-2.0
/// A function on a thread's stack that had not returned, and its current line.
package struct StackFrame: Codable, Hashable, Sendable {
    /// Demangled.
    package var function: String?
    /// The source file, as debug information or the interpreter names it, and its line, from 1.
    package var file: String?
    package var line: Int?
    /// The object that has the code (a path), the offset of the call in it (the argument of `addr2line -e`), and its build id in
    /// hexadecimal. `nil` for an interpreter's frame.
    package var module: String?
    package var offset: UInt64?
    package var buildID: String?

    package init(
        function: String? = nil, file: String? = nil, line: Int? = nil, module: String? = nil, offset: UInt64? = nil,
        buildID: String? = nil
    ) {
        self.function = function
        self.file = file
        self.line = line
        self.module = module
        self.offset = offset
        self.buildID = buildID
    }
}

extension StackFrame {
    /// Whether the line is of a program on a command line, not in a file.
    package var isOfCommandLine: Bool {
        file.map { ["-e", "-", "[eval]", "[stdin]", "Command line code"].contains($0) } ?? false
    }
}
