// SPDX-License-Identifier: Apache-2.0
/// A number of decimal digits only: `Int` would take a sign as well.
package func decimalNumber(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
}

/// A port of TCP or UDP that can be connected to, 1 to 65535.
package func portNumber(_ text: some StringProtocol) -> UInt16? {
    decimalNumber(text).flatMap { UInt16(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
}
