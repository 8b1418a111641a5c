// SPDX-License-Identifier: Apache-2.0
/// A number of decimal digits only: `Int` would take a sign as well.
package func decimalNumber(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
}
