// SPDX-License-Identifier: Apache-2.0
package import Topology

/// A selection of a suite's cases.
package struct CaseSelection: Hashable, Sendable {
    /// Patterns with `*` and `?` for the names of cases, or of tests if they have no `@`; if empty, every case.
    package var patterns: [String]
    package var tags: [String]
    package var networks: [NetworkSchedule]
    /// The names of the selected cases; `nil` for all.
    package var ids: Set<String>?

    package init(
        patterns: [String] = [], tags: [String] = [], networks: [NetworkSchedule] = [], ids: Set<String>? = nil
    ) {
        self.ids = ids
        self.patterns = patterns
        self.tags = tags
        self.networks = networks
    }

    package func contains(_ element: SuiteCase) -> Bool {
        (patterns.isEmpty || patterns.contains { Self.matches($0, element) })
            && (tags.isEmpty || !Set(tags).isDisjoint(with: element.test.tags))
            && (networks.isEmpty || networks.contains(element.network))
            && ids?.contains(element.id) != false
    }

    private static func matches(_ pattern: String, _ element: SuiteCase) -> Bool {
        Self.matches(Array(pattern.utf8), Array((pattern.contains("@") ? element.id : element.test.name).utf8))
    }

    /// `*` matches any number of octets, `?` one. Each octet of the text is examined once per `*`.
    static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (next, place) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while place < text.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                star = (next, place)
                next += 1
            } else if next < pattern.count, pattern[next] == text[place] || pattern[next] == UInt8(ascii: "?") {
                next += 1
                place += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (next, place) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
