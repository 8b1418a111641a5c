// SPDX-License-Identifier: Apache-2.0
/// A fully qualified domain name, held as its uncompressed wire form (RFC 1035 §3.1).
///
///     +---+-----------+---+-----------+---+
///     | 4 | s h o p   | 4 | t e s t   | 0 |
///     +---+-----------+---+-----------+---+
///
/// Every value obeys the limits of RFC 1035 §2.3.4: labels of 1 to 63 octets, 255 octets in all. Letters keep their original case; two
/// names that differ in the case of ASCII letters only are equal and hash alike (RFC 4343 §3).
public struct DomainName: Sendable {
    /// The longest label, without its length octet.
    public static let maximumLabelLength = 63
    /// The longest name on the wire, including length octets and the root's zero.
    public static let maximumNameLength = 255

    /// The labels, each after its length, and the root's zero.
    public let wire: [UInt8]

    /// `wire` must be well formed; every initializer for external input checks that first.
    init(validWire wire: [UInt8]) {
        self.wire = wire
    }

    public static let root = DomainName(validWire: [0])

    /// A name of the given labels, leftmost first.
    public init(labels: [[UInt8]]) throws(DomainNameError) {
        var wire: [UInt8] = []
        for label in labels {
            if label.isEmpty { throw .emptyLabel }
            if label.count > Self.maximumLabelLength { throw .labelTooLong(length: label.count) }
            wire.append(UInt8(label.count))
            wire.append(contentsOf: label)
        }
        wire.append(0)
        if wire.count > Self.maximumNameLength { throw .nameTooLong(length: wire.count) }
        self.wire = wire
    }

    /// The labels, leftmost first; none for the root.
    public var labels: [ArraySlice<UInt8>] {
        var labels: [ArraySlice<UInt8>] = []
        var offset = 0
        while wire[offset] != 0 {
            let end = offset + 1 + Int(wire[offset])
            labels.append(wire[(offset + 1)..<end])
            offset = end
        }
        return labels
    }

    public var labelCount: Int {
        var count = 0
        var offset = 0
        while wire[offset] != 0 {
            count += 1
            offset += 1 + Int(wire[offset])
        }
        return count
    }

    public var isRoot: Bool { wire.count == 1 }
    /// Whether the leftmost label is a single asterisk (RFC 4592 §2.1.1).
    public var isWildcard: Bool { wire.starts(with: [1, UInt8(ascii: "*")]) }

    /// The name without its leftmost label; the root has no parent.
    public var parent: DomainName? {
        isRoot ? nil : DomainName(validWire: Array(wire[(1 + Int(wire[0]))...]))
    }
}

extension DomainName {
    /// The name itself, then its parent, up to the root; each is made on demand.
    package var ancestors: Ancestors { Ancestors(next: self) }

    /// The closest ancestor, including the name itself, whose number of octets on the wire satisfies `mayHave`, and which satisfies
    /// `isWanted`. Only names of such lengths are made.
    package func closestAncestor(
        mayHave: (Int) -> Bool, isWanted: (DomainName) -> Bool
    ) -> DomainName? {
        var offset = 0
        while true {
            if mayHave(wire.count - offset) {
                let name = offset == 0 ? self : DomainName(validWire: Array(wire[offset...]))
                if isWanted(name) { return name }
            }
            if wire[offset] == 0 { return nil }
            offset += 1 + Int(wire[offset])
        }
    }

    package struct Ancestors: Sequence, IteratorProtocol {
        fileprivate var following: DomainName?

        fileprivate init(next: DomainName) { following = next }

        package mutating func next() -> DomainName? {
            defer { following = following?.parent }
            return following
        }
    }
}

// MARK: - Comparison (RFC 4343 §3: ASCII letters compare without regard to case)

extension DomainName: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        // Length octets are below 64, so folding letters leaves them unchanged.
        left.wire.count == right.wire.count && equalFolded(left.wire[...], right.wire[...])
    }

    public func hash(into hasher: inout Hasher) {
        // Eight octets at a time, because each call of the hasher is expensive.
        var word: UInt64 = 0
        var filled = 0
        for octet in wire {
            word = word << 8 | UInt64(lowercase(octet))
            filled += 1
            if filled & 7 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(filled)
    }

    /// Whether the name is `ancestor` or below it.
    public func isSubdomain(of ancestor: DomainName) -> Bool {
        guard let offset = offset(ofSuffix: ancestor) else { return false }
        return equalFolded(wire[offset...], ancestor.wire[...])
    }

    /// Whether the two are equal, including the case of their letters.
    public func isIdentical(to other: DomainName) -> Bool { wire == other.wire }

    /// The start of the label from which exactly as many octets are left as `suffix` has.
    private func offset(ofSuffix suffix: DomainName) -> Int? {
        let target = wire.count - suffix.wire.count
        var offset = 0
        while offset < target, wire[offset] != 0 { offset += 1 + Int(wire[offset]) }
        return offset == target ? offset : nil
    }
}

// MARK: - Derived names

extension DomainName {
    /// The name with one more label on its left.
    public func prepending(label: some Collection<UInt8>) throws(DomainNameError) -> DomainName {
        if label.isEmpty { throw .emptyLabel }
        if label.count > Self.maximumLabelLength { throw .labelTooLong(length: label.count) }
        let length = wire.count + 1 + label.count
        if length > Self.maximumNameLength { throw .nameTooLong(length: length) }
        return DomainName(validWire: [UInt8(label.count)] + label + wire)
    }

    /// The name with its ending `suffix` replaced by `replacement`, the effect of a DNAME (RFC 6672 §2.2). `nil` if the name is not below
    /// `suffix`.
    public func replacing(suffix: DomainName, with replacement: DomainName) throws(DomainNameError) -> DomainName? {
        guard isSubdomain(of: suffix) else { return nil }
        let kept = wire.count - suffix.wire.count
        let length = kept + replacement.wire.count
        if length > Self.maximumNameLength { throw .nameTooLong(length: length) }
        return DomainName(validWire: wire[..<kept] + replacement.wire)
    }
}

/// ASCII letters in lower case, every other octet as it is.
@inline(always)
func lowercase(_ octet: UInt8) -> UInt8 {
    octet &- UInt8(ascii: "A") < 26 ? octet | 0x20 : octet
}

func equalFolded(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { $0 == $1 || lowercase($0) == lowercase($1) }
}

// MARK: - Canonical order (RFC 4034 §6.1)

extension DomainName {
    /// The wire form with letters in lower case (RFC 4034 §6.2).
    public var canonicalWire: [UInt8] { wire.map(lowercase) }

    /// Whether the name precedes another in the order of DNSSEC: labels are compared from the right, as octets with letters in lower case,
    /// and an ancestor precedes the names below it.
    public func precedesCanonically(_ other: DomainName) -> Bool {
        for (left, right) in zip(labels.reversed(), other.labels.reversed()) {
            if equalFolded(left, right) { continue }
            return left.lexicographicallyPrecedes(right) { lowercase($0) < lowercase($1) }
        }
        return labelCount < other.labelCount
    }
}
