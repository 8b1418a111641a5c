// SPDX-License-Identifier: Apache-2.0
/// A day of the calendar, in UTC: `2027-03-31`.
package struct Day: Hashable, Sendable {
    private let year: Int
    private let month: Int
    private let day: Int

    /// `nil` if the day does not exist.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = number(parts[0]), let month = number(parts[1]),
            let day = number(parts[2]), (1...12).contains(month)
        else { return nil }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Days from `right` to `left`.
    package static func - (left: Day, right: Day) -> Int { left.count - right.count }

    /// Days since 1 March of year 0. Years begin in March here, so that the leap day is the last day of a year.
    private var count: Int {
        let isBeforeMarch = month < 3
        let year = isBeforeMarch ? self.year - 1 : self.year
        let shifted = isBeforeMarch ? month + 9 : month - 3
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day - 1
    }
}

private func number(_ digits: some StringProtocol) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
}

extension Day: Comparable {
    package static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Day: CustomStringConvertible {
    package var description: String {
        func padded(_ number: Int, to width: Int) -> String {
            String(repeating: "0", count: width - "\(number)".count) + "\(number)"
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}
