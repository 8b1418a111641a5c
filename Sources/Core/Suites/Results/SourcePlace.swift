// SPDX-License-Identifier: Apache-2.0
/// A place in a source file of a client, or in another file that it read.
package struct SourcePlace: Codable, Hashable, Sendable {
    /// As debug information or the interpreter names it; from the client's working directory if it is below that.
    package var file: String
    /// From 1.
    package var line: Int?
    package var function: String?
    /// The file as the repository knows it; `nil` if the work tree has no such file.
    package var path: String?

    package init(file: String, line: Int? = nil, function: String? = nil, path: String? = nil) {
        self.file = file
        self.line = line
        self.function = function
        self.path = path
    }
}

/// Where a client has an address from.
package struct OriginPlace: Codable, Hashable, Sendable {
    /// `agent.conf:3`, `argument 2 of shop`
    package var text: String
    /// `nil` if it is no file.
    package var place: SourcePlace?

    package init(text: String, place: SourcePlace? = nil) {
        self.text = text
        self.place = place
    }
}

extension CaseResult {
    /// Says which of the named files the repository has.
    /// - Parameter path: the repository's name of a file that a client named; `nil` if it has no such file.
    package mutating func resolvePlaces(_ path: (String) -> String?) {
        for index in findings.indices {
            if let file = findings[index].location?.file { findings[index].location?.path = path(file) }
            if let file = findings[index].origin?.place?.file { findings[index].origin?.place?.path = path(file) }
        }
    }
}
