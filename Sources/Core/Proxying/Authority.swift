// SPDX-License-Identifier: Apache-2.0
/// Host and port of a URL, or of CONNECT (RFC 3986 §3.2).
struct Authority: Hashable {
    /// Without brackets.
    let host: String
    /// `nil` if there is none.
    let port: UInt16?

    /// `nil` if it is not valid, or has a user: RFC 9110 §4.2.4 requires treating that as an error.
    init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(decoding: rest[1..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            guard host.contains(":"), host.utf8.allSatisfy(\.isAddressOctet) else { return nil }
        } else {
            let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            host = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[end...]
            guard !host.isEmpty, host.utf8.allSatisfy(\.isNameOctet) else { return nil }
        }
        if rest.isEmpty || rest.elementsEqual([UInt8(ascii: ":")]) {
            port = nil
            return
        }
        guard rest.first == UInt8(ascii: ":"), rest.count <= 6,
            rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: rest.dropFirst(), as: UTF8.self)), number > 0
        else { return nil }
        port = number
    }
}

extension UInt8 {
    private var isDigitOctet: Bool { (0x30...0x39).contains(self) }
    private var isLetterOctet: Bool { (0x41...0x5a).contains(self & 0xdf) && self < 0x80 }

    /// RFC 9110 §5.6.2
    var isTokenOctet: Bool { isDigitOctet || isLetterOctet || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    var isLineEndOctet: Bool { self == 0x0d || self == 0x0a }

    /// A character of a name by RFC 3986 §3.2.2.
    fileprivate var isNameOctet: Bool { isDigitOctet || isLetterOctet || "-._~%!$&'()*+,;=".utf8.contains(self) }

    fileprivate var isAddressOctet: Bool { isDigitOctet || isLetterOctet || self == 0x3a || self == 0x2e }
}
