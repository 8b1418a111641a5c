// SPDX-License-Identifier: Apache-2.0
/// Durations and times in the notation of zone files.
enum PresentationTime {
    /// A TTL: at most 2³¹ − 1 (RFC 2181 §8).
    static func ttl(_ text: some StringProtocol) -> UInt32? {
        seconds(text).flatMap { $0 <= ResourceRecord.maximumTTL ? $0 : nil }
    }

    /// Seconds, or BIND's sums of weeks, days, hours, minutes and seconds such as `1h30m`.
    static func seconds(_ text: some StringProtocol) -> UInt32? {
        var total: UInt64 = 0
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard let unit = secondsPerUnit(lowercase(character)) else {
                digits.append(character)
                continue
            }
            guard let count = UInt32(digits: String(decoding: digits, as: UTF8.self)) else { return nil }
            total += UInt64(count) * unit
            digits = []
            if total > UInt64(UInt32.max) { return nil }
        }
        if !digits.isEmpty {
            guard let count = UInt32(digits: String(decoding: digits, as: UTF8.self)) else { return nil }
            total += UInt64(count)
        }
        return text.isEmpty ? nil : UInt32(exactly: total)
    }

    private static func secondsPerUnit(_ letter: UInt8) -> UInt64? {
        switch letter {
        case UInt8(ascii: "s"): 1
        case UInt8(ascii: "m"): 60
        case UInt8(ascii: "h"): 3600
        case UInt8(ascii: "d"): 86_400
        case UInt8(ascii: "w"): 604_800
        default: nil
        }
    }

    /// YYYYMMDDHHmmSS, or seconds since 1970: 14 digits mean the former (RFC 4034 §3.2).
    static func timestamp(_ text: some StringProtocol) -> UInt32? {
        guard text.utf8.count == 14 else { return UInt32(digits: text) }
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else {
            return nil
        }
        let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        // Serial arithmetic: the field wraps around in 2106 (RFC 4034 §3.1.5).
        return UInt32(truncatingIfNeeded: seconds)
    }

    static func text(timestamp: UInt32) -> String {
        let (days, seconds) = (Int(timestamp) / 86_400, Int(timestamp) % 86_400)
        var year = 1970 + days / 366
        while daysSince1970(year + 1, 1, 1) <= days { year += 1 }
        var month = 1
        while month < 12, daysSince1970(year, month + 1, 1) <= days { month += 1 }
        let day = days - daysSince1970(year, month, 1) + 1
        let parts = [month, day, seconds / 3600, seconds / 60 % 60, seconds % 60]
        return "\(year)" + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }

    /// Days of the Gregorian calendar, counted in years that begin in March, so that the leap day is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let daysBefore = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
        return daysBefore + dayOfYear - 719_468
    }
}
