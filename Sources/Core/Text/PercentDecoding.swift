// SPDX-License-Identifier: Apache-2.0
/// A text without its percent encoding (RFC 3986 §2.1); `nil` if a `%` is not followed by two digits, or if the octets are not UTF-8.
package func percentDecoded(_ text: some StringProtocol) -> String? {
    func digit(_ octet: UInt8?) -> UInt8? {
        octet.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
    }
    var octets: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let octet = rest.next() {
        guard octet == UInt8(ascii: "%") else {
            octets.append(octet)
            continue
        }
        guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
        octets.append(high << 4 | low)
    }
    return String(validating: octets, as: UTF8.self)
}
