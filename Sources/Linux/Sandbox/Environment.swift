/// The environment of a program: its variables in their order.
package struct Environment: Hashable, Sendable {
    /// `NAME=value` each; an entry without "=" is passed on as it came.
    package private(set) var entries: [OSString]

    package init(entries: [OSString]) {
        self.entries = entries
    }

    /// The first value of that name, as a program sees it.
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
