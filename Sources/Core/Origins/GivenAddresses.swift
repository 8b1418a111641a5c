// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Wire

/// Collects the IPv6 addresses that a client was given as text.
package struct GivenAddresses: Sendable {
    /// Further addresses add no information.
    private static let limit = 32
    /// The maximum size of a text; a configuration file is shorter.
    private static let octetLimit = 64 << 10

    package private(set) var all: [GivenAddress] = []

    package init() {}

    /// Takes the addresses of the arguments of the client's own command line.
    package mutating func take(argumentsOf program: TracedProgram) {
        for (index, argument) in program.arguments.enumerated().dropFirst() {
            take(Array(argument.utf8)) { _ in program.place(ofArgument: index) }
        }
    }

    package mutating func take(variable name: String, value: [UInt8]) {
        take(value) { _ in .environment(variable: name) }
    }

    /// - Parameter path: of a file that is neither a source nor a binary.
    package mutating func take(file octets: [UInt8], path: String) {
        if octets.contains(0) { return }
        take(octets) { .file(path: path, line: $0) }
    }

    private mutating func take(_ octets: [UInt8], _ place: (_ line: Int) -> AddressOrigin.Place) {
        guard octets.count <= Self.octetLimit else { return }
        var line = 1
        var start = 0
        while start < octets.count {
            if octets[start] == UInt8(ascii: "\n") { line += 1 }
            guard Self.isOfWord(octets[start]) else {
                start += 1
                continue
            }
            let end = octets[start...].firstIndex { !Self.isOfWord($0) } ?? octets.count
            if let address = Self.address(octets[start..<end]) { add(address, place(line)) }
            start = end
        }
    }

    private mutating func add(_ address: IPv6Address, _ place: AddressOrigin.Place) {
        guard all.count < Self.limit, !all.contains(where: { $0.address == address }) else { return }
        all.append(GivenAddress(address, from: AddressOrigin(place)))
    }

    /// Letters and digits next to an address make it something else; a zone after it does not.
    private static func isOfWord(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Only an address that a host may have, so that a time or a name with colons is none: 2000::/3, fc00::/7, 64:ff9b::/96.
    private static func address(_ word: ArraySlice<UInt8>) -> IPv6Address? {
        guard word.count <= 45, word.count(where: { $0 == UInt8(ascii: ":") }) >= 2,
            let address = IPv6Address(String(decoding: word, as: UTF8.self))
        else { return nil }
        let top = UInt8(truncatingIfNeeded: address.bits >> 120)
        let isHost = top >> 5 == 0b001 || top >> 1 == 0xfc >> 1 || address.bits >> 96 == 0x0064_ff9b
        return isHost ? address : nil
    }
}
