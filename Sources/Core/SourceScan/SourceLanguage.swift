// SPDX-License-Identifier: Apache-2.0
/// A language whose sources can be scanned.
package enum SourceLanguage: String, Sendable, CaseIterable {
    /// C, C++ and Objective-C.
    case c
    case swift
    case go
    case python
    case java
    case kotlin
    /// JavaScript and TypeScript.
    case javaScript
    case yaml

    /// From the extension of a file's name; `nil` if it is no source of these languages.
    package init?(fileName: String) {
        switch Self.ending(of: fileName) {
        case "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm": self = .c
        case "swift": self = .swift
        case "go": self = .go
        case "py": self = .python
        case "java": self = .java
        case "kt", "kts": self = .kotlin
        case "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx": self = .javaScript
        case "yml", "yaml": self = .yaml
        default: return nil
        }
    }

    /// Whether a file is a source of a language that cannot be scanned, by the extension of its name.
    package static func isOfOther(fileName: String) -> Bool {
        ending(of: fileName).map(others.contains) == true
    }

    /// The text behind the last dot, in lower case; `nil` without one.
    private static func ending(of fileName: String) -> String? {
        fileName.lastIndex(of: ".").map { fileName[fileName.index(after: $0)...].lowercased() }
    }

    private static let others: Set<String> = [
        "bash", "clj", "cs", "d", "dart", "erl", "ex", "exs", "fs", "groovy", "hs", "jl", "lua", "ml", "nim", "php",
        "pl", "pm", "ps1", "r", "rb", "rs", "scala", "scm", "sh", "tcl", "vb", "zig",
    ]

    /// Whether a comment `/* */` may contain another.
    var nestsComments: Bool { self == .swift || self == .kotlin }

    var commentsWithHash: Bool { self == .python || self == .yaml }
}
