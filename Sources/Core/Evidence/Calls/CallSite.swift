// SPDX-License-Identifier: Apache-2.0
internal import Text

/// Where in a client a call stands, as far as that is known.
package struct CallSite: Codable, Hashable, Sendable {
    /// The client or the child of it that called.
    package var program: String?
    /// The object that called (the executable or a library) and the offset of the call in it.
    package var module: String?
    package var offset: Int?
    /// The line of the source, by debug information or by the interpreter; the file as these name it.
    package var function: String?
    package var file: String?
    package var line: Int?
    /// Where a package that the line calls made the call, such as `courier/pool.py:12`; `nil` if the line made it itself.
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

    /// Whether it is the same place of a client in another run, which may have its executable in another folder.
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

    /// Without the line, which is told of the first such calls only.
    package var withoutLine: CallSite { CallSite(program: program, module: module, offset: offset) }
}
