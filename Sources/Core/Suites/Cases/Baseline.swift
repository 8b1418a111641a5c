// SPDX-License-Identifier: Apache-2.0
import Text

/// Accepted dependencies, which the tool writes to a file of its own: one sorted line per entry, so that versions can be merged.
///
///     # ipv6check baseline 1
///     V6C-001 update shop 203.0.113.5 tcp/443
package struct Baseline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var rule: String
        package var test: String
        package var program: String
        package var target: String

        package init(_ dependency: Dependency) {
            (rule, test, program, target) = (dependency.rule, dependency.test, dependency.program, dependency.target)
        }

        /// `nil` if the line does not have the four parts.
        init?(_ line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, parts[0].hasPrefix("V6C-") else { return nil }
            (rule, test, program) = (String(parts[0]), String(parts[1]), Self.unescaped(parts[2]))
            target = String(parts[3]).trimmed
        }

        package var line: String { "\(rule) \(test) \(Self.escaped(program)) \(target)" }

        /// A program's name may contain blanks.
        private static func escaped(_ name: String) -> String {
            name.unicodeScalars.map { scalar in
                scalar.value <= 0x20 || scalar == "%" || scalar.value == 0x7f
                    ? "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
            }.joined()
        }

        private static func unescaped(_ text: Substring) -> String {
            var octets: [UInt8] = []
            var rest = text.utf8[...]
            while let octet = rest.popFirst() {
                if octet == UInt8(ascii: "%"), rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                {
                    octets.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    octets.append(octet)
                }
            }
            return String(decoding: octets, as: UTF8.self)
        }
    }

    /// A line that is no entry.
    package struct Malformed: Error, Equatable {
        package var line: Int
        package var text: String
    }

    package private(set) var entries: Set<Entry> = []

    private static let header = "# ipv6check baseline 1"

    package init() {}

    package init(_ text: String) throws(Malformed) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy({ $0 == " " }) || line.hasPrefix("#") { continue }
            guard let entry = Entry(line) else { throw Malformed(line: index + 1, text: excerpt(line)) }
            entries.insert(entry)
        }
    }

    package func contains(_ dependency: Dependency) -> Bool {
        Self.entries(for: dependency).contains(where: entries.contains)
    }

    /// The entries that match it: also with the older number of its rule, and with the name of the test's command.
    private static func entries(for dependency: Dependency) -> [Entry] {
        [dependency.rule, dependency.was].compactMap(\.self).flatMap { rule in
            [dependency.program, dependency.command].compactMap(\.self).map { program in
                var entry = Entry(dependency)
                (entry.rule, entry.program) = (rule, program)
                return entry
            }
        }
    }

    /// Adds the dependencies that are missing.
    package mutating func add(_ dependencies: [Dependency]) {
        for dependency in dependencies where !contains(dependency) { entries.insert(Entry(dependency)) }
    }

    package mutating func remove(_ entries: [Entry]) { self.entries.subtract(entries) }

    /// Entries that no run met any more: those of tests that were judged on all their networks, and of tests that no longer exist.
    /// - Parameters:
    ///   - judged: the names of the tests whose cases were all judged.
    ///   - tests: the names of all tests of the suite.
    package func gone(after dependencies: [Dependency], judged: Set<String>, tests: Set<String>) -> [Entry] {
        let met = Set(dependencies.flatMap(Self.entries))
        return entries.filter { !met.contains($0) && (judged.contains($0.test) || !tests.contains($0.test)) }
            .sorted { $0.line < $1.line }
    }

    /// The file's contents.
    package var text: String {
        ([Self.header + "; written by `ipv6check suite --baseline update`, `--baseline prune` removes what is gone."]
            + entries.map(\.line).sorted())
            .map { $0 + "\n" }.joined()
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
