// SPDX-License-Identifier: Apache-2.0
import Text
package import Translation
package import Wire

/// Scalars. Each method reports a value that is not valid, and returns nil.
extension YAMLReader {
    package mutating func choice<Value>(_ node: YAMLNode, _ name: String, _ values: [(word: String, Value)]) -> Value? {
        if let found = values.first(where: { node.isText($0.word) }) { return found.1 }
        let words = values.map(\.word)
        if case .scalar(let text) = node.content, let nearest = nearestWord(to: text, among: words) {
            report("\(name) cannot be \(node.kindDescription) (did you mean \"\(nearest)\"?)", at: node.position)
        } else {
            report(
                "\(name) must be one of \(enumerated(words)), not \(node.kindDescription)", at: node.position)
        }
        return nil
    }

    /// As YAML 1.1 writes booleans.
    package mutating func flag(_ node: YAMLNode, _ name: String) -> Bool? {
        if ["true", "yes", "on"].contains(where: { node.isText($0) }) { return true }
        if ["false", "no", "off"].contains(where: { node.isText($0) }) { return false }
        report("\(name) must be true or false, not \(node.kindDescription)", at: node.position)
        return nil
    }

    package mutating func number(
        _ node: YAMLNode, _ name: String, in range: ClosedRange<Int>, or word: String? = nil
    ) -> Int? {
        if case .scalar(let text) = node.content, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        {
            return number
        }
        let alternative = word.map { ", or \($0)" } ?? ""
        report(
            "\(name) must be a number from \(range.lowerBound) to \(range.upperBound)\(alternative), not \(node.kindDescription)",
            at: node.position)
        return nil
    }

    package mutating func duration(_ node: YAMLNode, _ name: String) -> Duration? {
        if case .scalar(let text) = node.content, let duration = Duration(written: text) { return duration }
        report(
            "\(name) must be a time such as 90 (seconds), 1.5, 250ms, 5m or 2h, not \(node.kindDescription)",
            at: node.position)
        return nil
    }

    /// A time greater than zero, at most 30 days.
    mutating func time(_ node: YAMLNode, _ name: String) -> Duration? {
        guard let time = duration(node, name) else { return nil }
        if time > .zero && time <= .seconds(30 * 86_400) { return time }
        report("\(name) must be more than 0 and at most 30 days (720h)", at: node.position)
        return nil
    }

    /// Text that is neither empty nor contains NUL, which ends strings in C.
    mutating func text(_ node: YAMLNode, _ name: String, example: String) -> String? {
        if case .scalar(let text) = node.content, !text.isEmpty, !text.utf8.contains(0) { return text }
        report("\(name) must be text, such as \(example), not \(node.kindDescription)", at: node.position)
        return nil
    }

    package mutating func ipv6Address(_ node: YAMLNode, _ name: String) -> IPv6Address? {
        if case .scalar(let text) = node.content, let address = IPv6Address(text) { return address }
        report("\(name) must be an address such as 2001:db8::1, not \(node.kindDescription)", at: node.position)
        return nil
    }

    package mutating func ipv4Address(_ node: YAMLNode, _ name: String) -> IPv4Address? {
        if case .scalar(let text) = node.content, let address = IPv4Address(text) { return address }
        report("\(name) must be an address such as 192.0.2.1, not \(node.kindDescription)", at: node.position)
        return nil
    }

    package mutating func pref64(_ node: YAMLNode) -> Pref64? {
        guard case .scalar(let text) = node.content else {
            report("a prefix is written like 64:ff9b::/96, not \(node.kindDescription)", at: node.position)
            return nil
        }
        do throws(Pref64.Invalid) {
            return try Pref64(excerpt(text))
        } catch {
            report("\(error)", at: node.position)
            return nil
        }
    }

    package mutating func ipv4Prefix(_ node: YAMLNode, _ name: String) -> IPv4Prefix? {
        if case .scalar(let text) = node.content, let prefix = IPv4Prefix(text) { return prefix }
        report(
            "\(name) has addresses and prefixes such as 192.0.2.64 and 192.0.2.64/28 (whose bits behind the length are"
                + " zero), not \(node.kindDescription)", at: node.position)
        return nil
    }

    package mutating func ipv6Prefix(_ node: YAMLNode, _ name: String) -> IPv6Prefix? {
        if case .scalar(let text) = node.content, let prefix = IPv6Prefix(text) { return prefix }
        report(
            "\(name) has addresses and prefixes such as 2001:db8::1 and 2001:db8::/120 (whose bits behind the length are"
                + " zero), not \(node.kindDescription)", at: node.position)
        return nil
    }
}
