// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Proxying

@Suite("SOCKS (RFC 1928, and version 4)") struct SOCKSTests {
    /// All that is said until there is nothing more, the octets coming one by one or all at once.
    static func end(_ octets: [UInt8], singly: Bool = false) -> (
        said: [UInt8], last: ProxyHandshake.Step, rest: [UInt8]
    ) {
        var handshake = ProxyHandshake()
        var said: [UInt8] = []
        for arrival in singly ? octets.map({ [$0] }) : [octets] {
            handshake.append(arrival)
            while true {
                switch handshake.next() {
                case .more: break
                case .say(let more):
                    said += more
                    continue
                case let last: return (said, last, handshake.takeRest())
                }
                break
            }
        }
        return (said, .more, handshake.takeRest())
    }

    static let greeting: [UInt8] = [5, 1, 0]
    static let requests: [(octets: [UInt8], host: String, port: UInt16)] = [
        ([5, 1, 0, 1, 198, 51, 100, 10, 0, 80], "198.51.100.10", 80),
        ([5, 1, 0, 3, 9] + Array("shop.test".utf8) + [1, 187], "shop.test", 443),
        ([5, 1, 0, 4, 0x2e, 0, 0, 2, 0, 0, 0xca, 0xfe, 0, 0, 0, 0, 0, 0, 0, 6, 0, 80], "2e00:2:0:cafe::6", 80),
    ]

    @Test(arguments: [true, false]) func `a client asks for an address of either family, or for a name`(singly: Bool) {
        for (octets, host, port) in Self.requests {
            let end = Self.end(Self.greeting + octets + (singly ? [] : [7, 8]), singly: singly)
            #expect(end.said == [5, 0])
            #expect(end.last == .request(ProxyRequest(ProxiedRequest(.socks5, host: host, port: port))))
            #expect(end.rest == (singly ? [] : [7, 8]))
        }
    }

    @Test func `what is cut anywhere is waited for`() {
        for (octets, _, _) in Self.requests {
            let all = Self.greeting + octets
            for length in 0..<all.count {
                let end = Self.end(Array(all.prefix(length)))
                #expect(end.last == .more, "\(length) of \(all)")
                #expect(end.said == (length < 3 ? [] : [5, 0]))
            }
        }
    }

    @Test func `who offers no method but others is refused`() {
        #expect(Self.end([5, 2, 1, 2]).last == .refuse([5, 0xff], nil))
        #expect(Self.end([5, 0]).last == .refuse([5, 0xff], nil))
        #expect(Self.end([5, 3, 2, 1, 0]).said == [5, 0])
    }

    @Test(arguments: [0, 2, 3, 255] as [UInt8]) func `another command is not offered`(command: UInt8) {
        let end = Self.end(Self.greeting + [5, command, 0, 1, 198, 51, 100, 10, 0, 80])
        let wanted = ProxiedRequest(.socks5, host: "198.51.100.10", port: 80, result: .notOffered)
        #expect(end.last == .refuse([5, 7, 0, 1, 0, 0, 0, 0, 0, 0], wanted))
    }

    @Test func `another kind of address, or another version, is refused`() {
        #expect(Self.end(Self.greeting + [5, 1, 0, 2, 0]).last == .refuse([5, 8, 0, 1, 0, 0, 0, 0, 0, 0], nil))
        #expect(Self.end(Self.greeting + [4, 1, 0, 1, 0]).last == .refuse([5, 1, 0, 1, 0, 0, 0, 0, 0, 0], nil))
    }

    @Test func `an answer says where the proxy's end is`() {
        let request = ProxyRequest(ProxiedRequest(.socks5, host: "a", port: 1))
        #expect(
            request.answer(.connected, from: (.ipv4(IPv4Address(198, 51, 100, 24)), 258))
                == [5, 0, 0, 1, 198, 51, 100, 24, 1, 2])
        #expect(
            request.answer(.connected, from: (.ipv6(.loopback), 258))
                == [5, 0, 0, 4] + Array(repeating: 0, count: 15) + [1, 1, 2])
        let codes: [(ProxiedRequest.Result, UInt8)] = [
            (.nameUnknown, 4), (.unroutable, 3), (.refused, 5), (.timedOut, 4), (.noRoom, 1), (.notOffered, 7),
        ]
        for (result, code) in codes { #expect(request.answer(result) == [5, code, 0, 1, 0, 0, 0, 0, 0, 0]) }
    }

    // MARK: Version 4

    @Test(arguments: [true, false]) func `version 4 has IPv4, and 4A a name`(singly: Bool) {
        let start: [UInt8] = [4, 1, 0, 80]
        let address = Self.end(start + [198, 51, 100, 10] + Array("user\0".utf8), singly: singly)
        #expect(address.last == .request(ProxyRequest(ProxiedRequest(.socks4, host: "198.51.100.10", port: 80))))
        let named = start + [0, 0, 0, 9] + Array("user\0shop.test\0".utf8)
        #expect(
            Self.end(named, singly: singly).last
                == .request(ProxyRequest(ProxiedRequest(.socks4, host: "shop.test", port: 80))))
        for length in 0..<named.count { #expect(Self.end(Array(named.prefix(length))).last == .more) }
        // 0.0.0.0 is no sign of a name.
        let none = Self.end(start + [0, 0, 0, 0, 0])
        #expect(none.last == .request(ProxyRequest(ProxiedRequest(.socks4, host: "0.0.0.0", port: 80))))
    }

    @Test func `version 4 is refused what it does not get, and texts without an end`() {
        let refused: [UInt8] = [0, 91, 0, 0, 0, 0, 0, 0]
        let bind = ProxiedRequest(.socks4, host: "198.51.100.10", port: 80, result: .notOffered)
        #expect(Self.end([4, 2, 0, 80, 198, 51, 100, 10, 0]).last == .refuse(refused, bind))
        let long = [UInt8](repeating: 65, count: 300)
        #expect(Self.end([4, 1, 0, 80, 198, 51, 100, 10] + long, singly: true).last == .refuse(refused, nil))
        #expect(Self.end([4, 1, 0, 80, 0, 0, 0, 1, 0] + long, singly: true).last == .refuse(refused, nil))
        let request = ProxyRequest(ProxiedRequest(.socks4, host: "a", port: 1))
        #expect(request.answer(.connected) == [0, 90, 0, 0, 0, 0, 0, 0])
        #expect(request.answer(.refused) == refused)
    }
}
