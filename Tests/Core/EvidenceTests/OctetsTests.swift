// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import Evidence

@Suite struct OctetsTests {
    private func decoded(_ text: String) throws -> [UInt8] {
        try JSONDecoder().decode([Octets].self, from: Data("[\"\(text)\"]".utf8))[0].bytes
    }

    @Test func `two digits are an octet`() throws {
        #expect(try decoded("") == [])
        #expect(try decoded("00ff7a") == [0, 255, 122])
        #expect(
            try JSONDecoder().decode([Octets].self, from: JSONEncoder().encode([Octets([1, 254])])) == [
                Octets([1, 254])
            ])
    }

    @Test(arguments: ["0", "00f", "0g", "FF"])
    func `other texts are refused`(_ text: String) {
        #expect(throws: DecodingError.self) { try decoded(text) }
    }
}
