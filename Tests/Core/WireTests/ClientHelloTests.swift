// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Wire

@Suite struct ClientHelloTests {
    private func read(_ octets: [UInt8]) -> ClientHello.Reading { ClientHello.read(octets.span) }

    /// From Python 3.11 with OpenSSL 3.0, without its padding:
    /// `ssl.create_default_context().wrap_bio(…, server_hostname="shop.test")` with the protocols h2 and http/1.1.
    private static let openSSL: [UInt8] = bytes(
        """
        16 0301 012a  01 000126 0303
        42ac0a74338a9a20c6489292ab60d5edbc2c5d41cc569332da75366efb6e69a2
        20 e6e4eabd97985e4aecbe29126899f1a1e85cc04d2f4c63759729bbf3eace08e3
        0024 130213031301c02cc030c02bc02fcca9cca8c024c028c023c027009f009e006b006700ff
        01 00  00b9
        0000 000e 000c 00 0009 73686f702e74657374
        000b 0004 03000102
        000a 0016 0014001d0017001e0019001801000101010201030104
        0023 0000
        0010 000e 000c 02 6832 08 687474702f312e31
        0016 0000  0017 0000
        000d 002a 0028040305030603080708080809080a080b080408050806040105010601030303010302040205020602
        002b 0005 0403040303
        002d 0002 0101
        0033 0026 0024001d0020d0fe6a6306352cc84609318c702050c661c7552001d7ac6ca3696164c0482e64
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test func `what OpenSSL sends is read`() {
        guard case .whole(let hello) = read(Self.openSSL) else {
            Issue.record("\(read(Self.openSSL))")
            return
        }
        #expect(hello.serverName == "shop.test")
        #expect(hello.applicationProtocols == ["h2", "http/1.1"])
    }

    @Test(arguments: [1, 2, 3, 5, 40, 100, 1 << 14])
    func `a message in records of any size is read, and each beginning of it is a part`(size: Int) {
        let octets = HelloOctets("www.tls.test", ["h2"], padding: 30).records(of: size)
        guard case .whole(let hello) = read(octets) else {
            Issue.record("\(read(octets))")
            return
        }
        #expect(hello.serverName == "www.tls.test" && hello.applicationProtocols == ["h2"])
        for count in octets.indices {
            guard case .part(let known) = read(Array(octets[..<count])) else {
                Issue.record("\(count) of \(octets.count): \(read(Array(octets[..<count])))")
                continue
            }
            #expect(known.serverName == nil || known.serverName == "www.tls.test")
        }
        // Octets after it are ignored.
        #expect(read(octets + [20, 3, 3, 0, 1, 1]) == .whole(hello))
    }

    @Test func `one that names nobody is one all the same`() {
        #expect(read(HelloOctets(nil).records()) == .whole(ClientHello()))
        // RFC 5246 §7.4.1.2: without extensions.
        let body: [UInt8] = [3, 3] + [UInt8](repeating: 5, count: 32) + [0, 0, 2, 0x13, 1, 1, 0]
        let message = [1, 0, 0, UInt8(body.count)] + body
        #expect(read([22, 3, 1, 0, UInt8(message.count)] + message) == .whole(ClientHello()))
    }

    @Test func `a part tells what it has of it`() {
        let octets = HelloOctets("www.tls.test", ["h2"]).records()
        let end = octets.count - 3
        guard case .part(let known) = read(Array(octets[..<end])) else {
            Issue.record("\(read(Array(octets[..<end])))")
            return
        }
        #expect(known.serverName == "www.tls.test" && known.applicationProtocols.isEmpty)
    }

    @Test(
        arguments: [
            Array("GET / HTTP/1.1\r\n".utf8), [22, 2], [23, 3, 3, 0, 1, 0], [22, 3, 3, 0, 0, 1],
            // A ServerHello; a message that ends in front of its extensions' end.
            [22, 3, 3, 0, 4, 2, 0, 0, 0], [22, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3],
            // A record of something else in the middle.
            Array(HelloOctets("a.test").records(of: 10)[..<15]) + [21, 3, 3, 0, 2, 1, 0],
        ] as [[UInt8]])
    func `other octets are other`(_ octets: [UInt8]) { #expect(read(octets) == .other) }

    @Test func `lengths that lie lead nowhere`() {
        let octets = HelloOctets("www.tls.test", ["h2", "http/1.1"]).records()
        for place in octets.indices {
            for value in [0, 1, 0x7f, 0xff] as [UInt8] {
                var changed = octets
                changed[place] = value
                if let hello = read(changed).hello {
                    #expect((hello.serverName ?? "").utf8.count <= 255 && hello.applicationProtocols.count <= 16)
                }
            }
        }
    }

    @Test func `what cannot be printed is not passed on, and a long list ends`() {
        let odd = HelloOctets("a\u{1b}[31m b", (0..<40).map { "p\($0)" }).records()
        #expect(read(odd).hello?.serverName == "a?[31m?b")
        #expect(read(odd).hello?.applicationProtocols == (0..<16).map { "p\($0)" })
        let long = HelloOctets(String(repeating: "a", count: 300)).records()
        #expect(read(long).hello?.serverName?.count == 255)
    }
}
