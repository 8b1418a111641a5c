// SPDX-License-Identifier: Apache-2.0
/// The environment of a program, in the order of its variables.
package struct Environment: Hashable, Sendable {
    /// `NAME=value` each; an entry without "=" is passed on unchanged.
    package private(set) var entries: [OSString]

    package init(entries: [OSString]) {
        self.entries = entries
    }

    /// - Parameter block: as in /proc/PID/environ, with a NUL after each entry.
    package init(block: [UInt8]) {
        entries = block.split(separator: 0).map { OSString(Array($0)) }
    }

    /// The entries that have a name.
    package var variables: [(name: String, value: [UInt8])] {
        entries.compactMap { entry in
            guard let sign = entry.bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (String(decoding: entry.bytes[..<sign], as: UTF8.self), Array(entry.bytes[(sign + 1)...]))
        }
    }

    /// The first value of that name, which is the one that programs see.
    package subscript(name: String) -> OSString? {
        get {
            let start = Array(name.utf8) + [UInt8(ascii: "=")]
            guard let entry = entries.first(where: { $0.bytes.starts(with: start) }) else { return nil }
            return OSString(Array(entry.bytes.dropFirst(start.count)))
        }
        set {
            let start = Array(name.utf8) + [UInt8(ascii: "=")]
            let place = entries.firstIndex { $0.bytes.starts(with: start) }
            entries.removeAll { $0.bytes.starts(with: start) }
            if let newValue { entries.insert(OSString(start + newValue.bytes), at: place ?? entries.count) }
        }
    }
}
