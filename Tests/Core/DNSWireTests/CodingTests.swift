// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Foundation
import Testing
import Wire

/// Names and records as JSON.
@Suite struct CodingTests {
    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test(arguments: [".", "Shop.test.", "a\\.b\\\\c\\000\\255.test."])
    func `a name comes back to the letter`(_ text: String) throws {
        let name = try DomainName(text)
        #expect(try again(name).isIdentical(to: name))
        #expect(try String(decoding: JSONEncoder().encode([name]), as: UTF8.self).contains("\""))
    }

    @Test func `a record comes back whatever its type, class and data`() throws {
        let name = try DomainName("Shop.test")
        let other = try DomainName("mail.shop.test")
        let soa = StartOfAuthority(
            primary: name, mailbox: other, serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5)
        let data: [RecordData] = [
            .a(IPv4Address(192, 0, 2, 1)), .aaaa(.loopback), .ns(other), .cname(name), .dname(other), .ptr(.root),
            .mx(preference: 10, exchange: other), .soa(soa), .other(.txt, [3, 1, 2, 3]), .other(.opt, []),
            .other(.any, [1]), .other(RecordType(rawValue: 65280), [0xff]),
        ]
        for data in data {
            let record = ResourceRecord(name: name, ttl: 300, data: data)
            #expect(try again(record) == record)
            #expect(try again(data) == data)
        }
        let chaos = ResourceRecord(name: name, recordClass: .chaos, ttl: 0, data: .other(.a, [1, 2, 3]))
        #expect(try again(chaos) == chaos)
    }

    @Test(arguments: ["\"\"", "\"0\"", "\"zz\"", "\"00\"", "1", "\"0000010001000000FF000401\""])
    func `what is no record is an error`(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ResourceRecord.self, from: Data(json.utf8)) }
    }

    @Test func `an HTTPS record's hints are its addresses, and a broken record has none`() throws {
        let data = try RecordData(
            type: .https, presentation: "1 . alpn=\"h2\" ipv4hint=192.0.2.1,198.51.100.10 ipv6hint=2001:db8::1")
        #expect(data.ipv4Hints == [IPv4Address(192, 0, 2, 1), IPv4Address(198, 51, 100, 10)])
        guard case .other(_, let octets) = data else { return #expect(Bool(false)) }
        for length in 0..<octets.count {
            #expect(RecordData.other(.https, Array(octets.prefix(length))).ipv4Hints.count <= 2)
        }
        #expect(RecordData.other(.txt, octets).ipv4Hints.isEmpty)
        #expect(RecordData.other(.https, [0, 1, 0, 0, 4, 0, 3, 1, 2, 3]).ipv4Hints.isEmpty)
    }
}
