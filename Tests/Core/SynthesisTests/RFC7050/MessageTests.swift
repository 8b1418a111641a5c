// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Testing

/// The query and what is believed of its answers: bytes alone, no sockets.
@Suite("RFC 7050 §3, the exchange")
struct MessageTests {
    typealias Reply = ipv4only_reply

    private func query(letters: UInt16 = 0) -> [UInt8] {
        var query = [UInt8](repeating: 0xa5, count: IPV4ONLY_QUERY_SIZE)
        unsafe ipv4only_query(&query, 0x1234, letters)
        return query
    }

    private func read(_ message: [UInt8], query: [UInt8], exact: Bool = true) -> (Reply, ipv4only_answer) {
        var answer = ipv4only_answer()
        let reply = unsafe ipv4only_read(message, message.count, query, exact, &answer)
        return (reply, answer)
    }

    private func record(type: UInt8 = 28, ttl: UInt32 = 300, data: [UInt8]) -> [UInt8] {
        [0xc0, 12, 0, type, 0, 1] + (0..<4).map { UInt8(truncatingIfNeeded: ttl >> (24 - 8 * $0)) }
            + [UInt8(data.count >> 8), UInt8(data.count & 255)] + data
    }

    /// 64:ff9b::192.0.0.170
    private let address: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 0, 170]

    private func message(
        flags: UInt16 = 0x8180, answers: [[UInt8]] = [], authority: [[UInt8]] = [], query: [UInt8]
    ) -> [UInt8] {
        let counts: [UInt16] = [1, UInt16(answers.count), UInt16(authority.count), 0]
        let header = ([flags] + counts).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return query[..<2] + header + query[12...] + answers.joined() + authority.joined()
    }

    @Test
    func `The query asks for AAAA, RD=1 and CD=0`() {
        // id 1234, RD | 1 question | 8 ipv4only 4 arpa | AAAA IN
        let name = [UInt8]("\u{8}ipv4only\u{4}arpa\u{0}".utf8)
        #expect(query() == [0x12, 0x34, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 28, 0, 1])
        #expect(query(letters: 0xffff)[12..<27].elementsEqual("\u{8}IPV4ONLY\u{4}ARPA\u{0}".utf8))
    }

    @Test
    func `An answer's addresses are read, with the least of their TTLs`() {
        let query = query(letters: 0x55)
        let (reply, answer) = read(
            message(answers: [record(ttl: 300, data: address), record(ttl: 60, data: address)], query: query),
            query: query)
        #expect(reply == IPV4ONLY_ADDRESSES && answer.count == 2 && answer.ttl == 60)
    }

    @Test
    func `A TTL with the highest bit set is none (RFC 2181 §8)`() {
        let answer = read(message(answers: [record(ttl: 0x8000_0001, data: address)], query: query()), query: query()).1
        #expect(answer.ttl == 0)
    }

    @Test
    func `Records of other types, classes and lengths are passed over`() {
        var chaos = record(data: address)
        chaos[5] = 3
        let answers = [record(type: 1, data: [192, 0, 0, 170]), chaos, record(data: Array(address.dropLast()))]
        #expect(read(message(answers: answers, query: query()), query: query()).0 == IPV4ONLY_NO_ADDRESS)
    }

    @Test
    func `No address holds for as long as the SOA says (RFC 2308 §5)`() {
        let soa = record(type: 6, ttl: 900, data: [0, 0] + [UInt8](repeating: 0, count: 16) + [0, 0, 0, 30])
        let name = message(flags: 0x8183, authority: [soa], query: query())
        #expect(read(name, query: query()).0 == IPV4ONLY_NO_ADDRESS)
        #expect(read(name, query: query()).1.ttl == 30)
        #expect(read(message(query: query()), query: query()).1.ttl == 60)
    }

    @Test
    func `Errors and truncation are told apart`() {
        #expect(read(message(flags: 0x8182, query: query()), query: query()).0 == IPV4ONLY_FAILED)
        #expect(read(message(flags: 0x8185, query: query()), query: query()).0 == IPV4ONLY_FAILED)
        #expect(read(message(flags: 0x8380, query: query()), query: query()).0 == IPV4ONLY_TRUNCATED)
    }

    @Test
    func `What is no answer to the query is not ours`() {
        let query = query(letters: 0x7fff)
        let good = message(answers: [record(data: address)], query: query)
        func changed(_ index: Int, _ mask: UInt8) -> Reply {
            var message = good
            message[index] ^= mask
            return read(message, query: query).0
        }
        #expect(changed(0, 1) == IPV4ONLY_NOT_OURS)  // id
        #expect(changed(1, 0x80) == IPV4ONLY_NOT_OURS)
        #expect(changed(2, 0x80) == IPV4ONLY_NOT_OURS)  // a query
        #expect(changed(2, 0x08) == IPV4ONLY_NOT_OURS)  // opcode
        #expect(changed(5, 3) == IPV4ONLY_NOT_OURS)  // two questions
        #expect(changed(13, 0x20) == IPV4ONLY_NOT_OURS)  // case
        #expect(changed(28, 1) == IPV4ONLY_NOT_OURS)  // type
        #expect(changed(30, 2) == IPV4ONLY_NOT_OURS)  // class
    }

    @Test
    func `A server that folds the case is understood when asked to be`() {
        let asked = query(letters: 0x7fff)
        var folded = message(answers: [record(data: address)], query: query())
        #expect(read(folded, query: asked).0 == IPV4ONLY_NOT_OURS)
        #expect(read(folded, query: asked, exact: false).0 == IPV4ONLY_ADDRESSES)
        folded[13] = UInt8(ascii: "x")
        #expect(read(folded, query: asked, exact: false).0 == IPV4ONLY_NOT_OURS)
    }

    @Test
    func `Every shorter message is refused, whatever is missing`() {
        let query = query()
        let whole = message(answers: [record(data: address), record(data: address)], query: query)
        for length in 0..<whole.count {
            let (reply, answer) = read(Array(whole[..<length]), query: query)
            #expect(reply == (length < query.count ? IPV4ONLY_NOT_OURS : IPV4ONLY_FAILED), "\(length)")
            #expect(answer.count == 0)
        }
    }

    @Test(arguments: [31, 200, 0x3fff])
    func `Names that point at themselves, past the end or nowhere end the reading`(target: UInt16) {
        var bad = record(data: address)
        bad[0] = 0xc0 | UInt8(target >> 8)
        bad[1] = UInt8(target & 255)
        #expect(read(message(answers: [bad], query: query()), query: query()).0 == IPV4ONLY_FAILED)
    }

    @Test
    func `No more than sixty-four addresses are kept`() {
        let answers = [[UInt8]](repeating: record(data: address), count: 130)
        let (reply, answer) = read(message(answers: answers, query: query()), query: query())
        #expect(reply == IPV4ONLY_ADDRESSES && answer.count == IPV4ONLY_ADDRESSES_MAX)
    }

    @Test
    func `Random changes never read past the end`() {
        // A linear congruential generator: the same noise each time.
        var state: UInt64 = 7050
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let query = query()
        let whole = message(answers: [record(data: address), record(type: 6, data: address)], query: query)
        for _ in 0..<2000 {
            var message = whole
            for _ in 0...random(4) { message[2 + random(message.count - 2)] = UInt8(random(256)) }
            let (reply, answer) = read(Array(message[..<random(message.count + 1)]), query: query)
            #expect(answer.count <= 2)
            #expect((reply == IPV4ONLY_ADDRESSES) == (answer.count > 0))
        }
    }
}
