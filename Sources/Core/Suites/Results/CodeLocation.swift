// SPDX-License-Identifier: Apache-2.0
/// A place in a source file of a client, or in another file that it read.
package struct CodeLocation: Codable, Hashable, Sendable {
    /// As debug information or the interpreter names it; relative to the client's working directory if it is below that.
    package var file: String
    /// From 1.
    package var line: Int?
    package var function: String?
    /// The file's path in the repository; `nil` if the work tree has no such file.
    package var path: String?
    /// The text of the line; `nil` if it could not be read.
    package var source: String?

    package init(
        file: String, line: Int? = nil, function: String? = nil, path: String? = nil, source: String? = nil
    ) {
        self.source = source
        self.file = file
        self.line = line
        self.function = function
        self.path = path
    }
}

/// The origin of an address that a client used.
package struct OriginLocation: Codable, Hashable, Sendable {
    /// `agent.conf:3`, `argument 2 of shop`
    package var text: String
    /// `nil` if it is not in a file.
    package var place: CodeLocation?

    package init(text: String, place: CodeLocation? = nil) {
        self.text = text
        self.place = place
    }

    /// `from agent.conf:3`, `probably from agent.conf:3`
    package var source: String {
        let mark = "probably "
        return text.hasPrefix(mark) ? "\(mark)from \(text.dropFirst(mark.count))" : "from \(text)"
    }
}

extension CaseResult {
    /// Adds the paths in the repository of the files named by the client.
    /// - Parameter path: the path in the repository of a file that a client named; `nil` if it has no such file.
    package mutating func resolvePlaces(_ path: (String) -> String?) {
        changePlaces { $0.path = path($0.file) }
    }

    /// Adds the source line to every place.
    /// - Parameter line: the text of a line of a file that a client named; `nil` if it cannot be read.
    package mutating func quoteSource(_ line: (_ file: String, _ number: Int) -> String?) {
        changePlaces { place in place.source = place.line.flatMap { line(place.file, $0) } }
    }

    private mutating func changePlaces(_ change: (inout CodeLocation) -> Void) {
        for index in findings.indices {
            findings[index].location.mutate(change)
            if findings[index].origin != nil { findings[index].origin?.place.mutate(change) }
        }
    }
}

extension Optional {
    fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
        guard var value = self else { return }
        change(&value)
        self = value
    }
}
