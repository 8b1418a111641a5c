// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Topology

@Suite struct ClientSharesTests {
    @Test func `one client may have all, and no more`() {
        var shares = ClientShares<Int>(limit: 3)
        for number in UInt64(0)..<3 { #expect(shares.take(number, for: 1) == .admitted) }
        #expect(shares.take(3, for: 1) == .refused)
        shares.release(1)
        #expect(shares.take(4, for: 1) == .admitted && shares.numbers(of: 1) == [0, 2, 4])
    }

    @Test func `whoever has the most gives up the oldest, down to the same share`() {
        var shares = ClientShares<Int>(limit: 8)
        for number in UInt64(0)..<8 { _ = shares.take(number, for: 1) }
        #expect(
            (8..<12).map { shares.take($0, for: 2) } == [.replacing(0), .replacing(1), .replacing(2), .replacing(3)])
        #expect(shares.take(12, for: 2) == .refused && shares.take(13, for: 1) == .refused)
        #expect(shares.count == 8 && shares.count(of: 1) == 4 && shares.count(of: 2) == 4)
    }

    @Test func `a client with one slot is never asked to give it up`() {
        var shares = ClientShares<UInt64>(limit: 4)
        for client in UInt64(0)..<4 { #expect(shares.take(client, for: client) == .admitted) }
        #expect(shares.take(9, for: 9) == .refused)
    }

    @Test func `a slot is given back once`() {
        var shares = ClientShares<Int>(limit: 2)
        _ = shares.take(7, for: 1)
        shares.release(7)
        shares.release(7)
        #expect(shares.count == 0 && shares.numbers(of: 1).isEmpty)
    }
}

@Suite struct ServedClientTests {
    @Test func `every address of a place is its client's, and none is another's`() {
        var owners: [IPAddress: Int] = [:]
        for number in 0..<ClientSlot.limit {
            let place = ClientSlot(number)
            for address in Network.allCases.flatMap(place.addresses) + [.ipv4(place.poolAddress)] {
                #expect(ServedClient(address) == .place(place))
                #expect(owners.updateValue(number, forKey: address) == nil)
            }
        }
    }

    @Test(arguments: [
        "2e00:2:0:1::1", "2e00:2:0:1::700", "192.0.0.1", "2e00:2:0:1::e0:100", "2001:2:0:aab2::101",
        "192.0.2.1",
        "192.0.2.63",
        "192.0.2.96", "192.0.2.99", "192.0.2.132", "127.0.0.1", "198.51.100.100",
    ]) func `who is in no place is somebody else`(text: String) {
        let address = IPAddress(text)!
        #expect(ServedClient(address) == .other(address))
    }
}
