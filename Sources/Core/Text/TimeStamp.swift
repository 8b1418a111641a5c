// SPDX-License-Identifier: Apache-2.0
/// A time of day in UTC in the form of RFC 3339: `2026-11-21T22:31:35.042Z`.
package struct TimeStamp: CustomStringConvertible {
    private let milliseconds: Int64

    package init(millisecondsSince1970 milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(nanosecondsSince1970 nanoseconds: Int64) {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        milliseconds = remainder < 0 ? quotient - 1 : quotient
    }

    package var description: String {
        let dayLength: Int64 = 86_400_000
        let days = milliseconds >= 0 ? milliseconds / dayLength : (milliseconds + 1) / dayLength - 1
        let (year, month, day) = Self.date(ofDay: days)
        let time = milliseconds - days * dayLength
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1000)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
            + "T\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(fraction, 3))Z"
    }

    /// The date of a day counted from 1970-01-01, in the Gregorian calendar. Years begin in March here, so that the leap day is the last of
    /// a year, and 400 of them are an era of 146,097 days.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // 0000-03-01 is 719,468 days before 1970-01-01.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Every five months from March on have 153 days.
        let month = (5 * dayOfYear + 2) / 153
        let isInNextYear = month >= 10
        return (
            yearOfEra + era * 400 + (isInNextYear ? 1 : 0), isInNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

private func digits(_ number: Int64, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
}
