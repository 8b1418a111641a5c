// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite struct QueryEvidenceTests {
    @Test func `of an address query the addresses are the answer, and else what there is`() {
        let query = RepeatedQuery("www.shop.test", .a, ["CNAME shop.test.", "198.51.100.10"])
        #expect(query.answer == [.a(IPv4Address(198, 51, 100, 10))])
        #expect(query.addresses == ["198.51.100.10"])
        #expect(RepeatedQuery("www.shop.test", .aaaa, ["CNAME shop.test."]).answer == [.cname("shop.test")])
    }

    @Test func `a flow has the name that the DNS gave for its address, and no other`() {
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .zero,
            questions: [RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"])])
        #expect(run.names[Flow(.tcp, "64:ff9b::c633:640a", 80, .direct)] == "shop.test")
        #expect(run.names[Flow(.tcp, "64:ff9b::c633:640b", 80, .direct)] == nil)
    }
}
