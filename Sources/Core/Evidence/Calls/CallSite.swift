// SPDX-License-Identifier: Apache-2.0
internal import Text

/// The place of a call in a client, as far as it is known.
package struct CallSite: Codable, Hashable, Sendable {
    /// The client, or its child that called.
    package var program: String?
    /// The object that called (the executable or a library) and the offset of the call in it.
    package var module: String?
    package var offset: Int?
    /// The line of the source, from debug information or the interpreter; the file as these name it.
    package var function: String?
    package var file: String?
    package var line: Int?
    /// The place in a package, such as `courier/pool.py:12`, that made the call for the line; `nil` if the line made it itself.
    package var through: String?

    package init(
        program: String? = nil, module: String? = nil, offset: Int? = nil, function: String? = nil,
        file: String? = nil, line: Int? = nil, through: String? = nil
    ) {
        self.program = program
        self.module = module
        self.offset = offset
        self.function = function
        self.file = file
        self.line = line
        self.through = through
    }

    package mutating func stand(at frame: StackFrame, through package: String? = nil) {
        (function, file, line, through) = (frame.function, frame.file, frame.line, package)
    }

    /// Whether it is the same place in another run of the client, which may have its executable in another folder.
    package func isSamePlace(as other: CallSite) -> Bool {
        let (mine, its) = (moved, other.moved)
        return mine == its && (line != nil || module.map(baseName) == other.module.map(baseName))
    }

    private var moved: CallSite {
        var site = self
        site.module = nil
        if line != nil { site.offset = nil }
        return site
    }

    /// The place without its line: only the first such calls have one.
    package var withoutLine: CallSite { CallSite(program: program, module: module, offset: offset) }
}
