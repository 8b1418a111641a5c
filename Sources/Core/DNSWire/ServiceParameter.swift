// SPDX-License-Identifier: Apache-2.0
import Wire

/// One SvcParam of an SVCB or HTTPS record (RFC 9460 §2.1, §14.3).
///
///     +---------+---------+-----------+
///     | key     | length  | value     |  in ascending order of keys
///     +---------+---------+-----------+
struct ServiceParameter: Equatable {
    var key: UInt16
    var value: [UInt8]

    enum Key {
        static let mandatory: UInt16 = 0
        static let alpn: UInt16 = 1
        static let noDefaultALPN: UInt16 = 2
        static let port: UInt16 = 3
        static let ipv4Hint: UInt16 = 4
        static let ech: UInt16 = 5
        static let ipv6Hint: UInt16 = 6
    }

    private static let names = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

    static func keyName(_ key: UInt16) -> String {
        Int(key) < names.count ? names[Int(key)] : "key\(key)"
    }

    static func key(named name: some StringProtocol) -> UInt16? {
        if let index = names.firstIndex(where: { $0 == name }) { return UInt16(index) }
        return name.hasPrefix("key") ? UInt16(digits: name.dropFirst(3)) : nil
    }

    static func encode(_ parameters: [ServiceParameter]) -> [UInt8] {
        parameters.sorted { $0.key < $1.key }.flatMap {
            bigEndian($0.key) + bigEndian(UInt16(truncatingIfNeeded: $0.value.count)) + $0.value
        }
    }

    /// `nil` if the octets are no parameters, or not in ascending order (RFC 9460 §2.2 calls that malformed).
    static func decode(_ octets: ArraySlice<UInt8>) -> [ServiceParameter]? {
        var parameters: [ServiceParameter] = []
        var rest = octets
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let head = Array(rest.prefix(4))
            let length = Int(head[2]) << 8 | Int(head[3])
            let key = UInt16(head[0]) << 8 | UInt16(head[1])
            rest = rest.dropFirst(4)
            guard length <= rest.count, parameters.last.map({ $0.key < key }) ?? true else { return nil }
            parameters.append(ServiceParameter(key: key, value: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return parameters
    }
}

// MARK: - Text

extension ServiceParameter {
    /// Reads `key` or `key=value`; the value may be quoted.
    init?(presentation text: ArraySlice<UInt8>) {
        let equals = text.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: text[..<(equals ?? text.endIndex)], as: UTF8.self)
        var valueText = equals.map { text[($0 + 1)...] } ?? []
        if valueText.first == UInt8(ascii: "\""), valueText.last == UInt8(ascii: "\""), valueText.count > 1 {
            valueText = valueText.dropFirst().dropLast()
        }
        guard let key = Self.key(named: name), let plain = PresentationFields.unescaped(valueText),
            let value = Self.value(of: key, plain), value.count <= Int(UInt16.max)
        else { return nil }
        self.key = key
        self.value = value
    }

    private static func value(of key: UInt16, _ text: [UInt8]) -> [UInt8]? {
        let items = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let strings = items.map { String(decoding: $0, as: UTF8.self) }
        /// All items, or `nil` if one of them is invalid.
        func list(_ octets: (Int) -> [UInt8]?) -> [UInt8]? {
            var value: [UInt8] = []
            for index in items.indices {
                guard let item = octets(index) else { return nil }
                value += item
            }
            return value
        }
        switch key {
        case Key.mandatory: return list { Self.key(named: strings[$0]).map(bigEndian) }
        case Key.alpn:
            return list { (1...255).contains(items[$0].count) ? [UInt8(items[$0].count)] + items[$0] : nil }
        case Key.noDefaultALPN: return text.isEmpty ? [] : nil
        case Key.port: return UInt16(digits: String(decoding: text, as: UTF8.self)).map(bigEndian)
        case Key.ipv4Hint: return list { IPv4Address(strings[$0]).map { bigEndian($0.bits) } }
        case Key.ipv6Hint: return list { IPv6Address(strings[$0]).map { bigEndian($0.bits) } }
        case Key.ech: return BitEncoding.base64.decode(text)
        default: return text
        }
    }

    /// `nil` if the value does not have the form that its key requires.
    var presentation: String? {
        let name = Self.keyName(key)
        if value.isEmpty { return name }
        switch key {
        case Key.mandatory:
            guard value.count.isMultiple(of: 2) else { return nil }
            let keys = stride(from: 0, to: value.count, by: 2).map { UInt16(value[$0]) << 8 | UInt16(value[$0 + 1]) }
            return "\(name)=\(keys.map(Self.keyName).joined(separator: ","))"
        case Key.alpn:
            var items: [String] = []
            var rest = value[...]
            while let length = rest.popFirst() {
                guard Int(length) <= rest.count else { return nil }
                items.append(escapedText(rest.prefix(Int(length))))
                rest = rest.dropFirst(Int(length))
            }
            return "\(name)=\"\(items.joined(separator: ","))\""
        case Key.port:
            return value.count == 2 ? "\(name)=\(UInt16(value[0]) << 8 | UInt16(value[1]))" : nil
        case Key.ipv4Hint:
            return hints(4) { IPv4Address(bits: UInt32(truncatingIfNeeded: $0)).description }
        case Key.ipv6Hint:
            return hints(16) { IPv6Address(bits: $0).description }
        case Key.ech:
            return "\(name)=" + BitEncoding.base64.encode(value)
        default:
            return "\(name)=\"\(escapedText(value[...]))\""
        }
    }

    private func hints(_ size: Int, _ text: (UInt128) -> String) -> String? {
        guard value.count.isMultiple(of: size) else { return nil }
        let addresses = stride(from: 0, to: value.count, by: size).map { start in
            text(value[start..<(start + size)].reduce(0) { $0 << 8 | UInt128($1) })
        }
        return Self.keyName(key) + "=" + addresses.joined(separator: ",")
    }
}
