// SPDX-License-Identifier: Apache-2.0
import Control
import DNS64
import DNSServer
import LinuxNet
import Testing

@testable import Daemon

struct FaultBookTests {
    private func fault(_ text: String) throws -> Fault { try Fault(presentation: text) }

    private func dns(_ faults: [Fault] = []) throws -> DNSService {
        try DNSService(.serving(faults), listeningOn: [])
    }

    @Test func `begins with those that the server has`() throws {
        let book = FaultBook(try dns([fault("drop"), fault("rcode SERVFAIL")]))
        #expect(book.entries.map(\.id) == [1, 2])
        #expect(try book.add(fault("truncate")).id == 3)
    }

    @Test func `a number stays the fault's own, and what is left is served`() throws {
        let dns = try dns()
        let book = FaultBook(dns)
        for text in ["drop", "rcode SERVFAIL", "truncate"] { _ = try book.add(fault(text)) }
        #expect(book.remove(2)?.id == 2)
        #expect(book.remove(2) == nil)
        #expect(book.entries.map(\.id) == [1, 3])
        #expect(dns.faults == [try fault("drop"), try fault("truncate")])
    }

    @Test func `others in the place of all have numbers of their own`() throws {
        let dns = try dns()
        let book = FaultBook(dns)
        _ = try book.add(fault("drop"))
        book.replaceAll(by: [try fault("rcode SERVFAIL")])
        #expect(book.entries.map(\.id) == [2])
        book.replaceAll(by: [])
        #expect(dns.faults == [])
    }

    @Test func `there are only so many`() throws {
        let book = FaultBook(try dns())
        for _ in 0..<Fault.maximumFaults { _ = try book.add(fault("drop")) }
        #expect(throws: ControlError.self) { try book.add(fault("drop")) }
        _ = book.remove(1)
        #expect(try book.add(fault("drop")).id == UInt64(Fault.maximumFaults) + 1)
    }
}
