// SPDX-License-Identifier: Apache-2.0
extension Duration {
    /// Reads `90`, `1.5`, `250ms`, `90s`, `5m` or `2h`: a decimal number of seconds, or of the unit after it. `nil` for anything else, and
    /// for values outside the range; the maximum is a hundred years in any case.
    package init?(written text: some StringProtocol, in range: ClosedRange<Duration>? = nil) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let nanosecondsOfUnit: Int64
        switch text[number.endIndex...] {
        case "ms": nanosecondsOfUnit = 1_000_000
        case "", "s": nanosecondsOfUnit = 1_000_000_000
        case "m": nanosecondsOfUnit = 60_000_000_000
        case "h": nanosecondsOfUnit = 3_600_000_000_000
        default: return nil
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts.last?.isEmpty == false,
            let whole = Int64(parts[0]),
            whole <= Self.hundredYears / nanosecondsOfUnit
        else { return nil }
        var nanoseconds = whole * nanosecondsOfUnit
        if parts.count == 2 {
            // Values are not more precise than nanoseconds; 15 digits of hours fit the arithmetic.
            var unit = nanosecondsOfUnit
            for digit in parts[1].prefix(15) {
                guard let value = digit.wholeNumberValue else { return nil }
                unit /= 10
                nanoseconds += Int64(value) * unit
            }
        }
        self = .nanoseconds(nanoseconds)
        if let range, !range.contains(self) { return nil }
    }

    /// For people, to a tenth of a second: `10 s`, `1.5 s`.
    package var inSeconds: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    private static let hundredYears: Int64 = 100 * 366 * 86_400 * 1_000_000_000
}
