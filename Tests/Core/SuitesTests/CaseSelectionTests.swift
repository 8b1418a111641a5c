// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology

@testable import Suites

@Suite struct CaseSelectionTests {
    @Test(arguments: [
        ("fetch", true), ("fetch@nat64", true), ("fetch@dual-stack", false), ("f*", true), ("*@nat64", true),
        ("f?tch", true), ("fetc", false), ("*x*", false), ("**c*", true), ("", false), ("fetch@*6*", true),
    ]) func `a pattern`(_ pattern: String, _ isMatch: Bool) {
        let element = SuiteCase(test: Sample.test(), network: .nat64)
        #expect(CaseSelection(patterns: [pattern]).contains(element) == isMatch)
    }

    @Test func `tags and networks`() {
        var test = Sample.test()
        test.tags = ["smoke"]
        let element = SuiteCase(test: test, network: .nat64)
        #expect(CaseSelection(tags: ["smoke", "slow"]).contains(element))
        #expect(!CaseSelection(tags: ["slow"]).contains(element))
        #expect(!CaseSelection(networks: [.dualStack]).contains(element))
    }

    @Test func `networks that follow each other are a network of their own`() throws {
        let schedule = try NetworkSchedule("dual-stack 5s, none 1s, nat64")
        let element = SuiteCase(test: Sample.test(), network: schedule)
        #expect(element.id == "fetch@dual-stack-5s,none-1s,nat64")
        #expect(CaseSelection(networks: [schedule]).contains(element))
        #expect(!CaseSelection(networks: [.nat64]).contains(element))
        #expect(CaseSelection(patterns: ["*@dual-stack-*"]).contains(element))
    }
}

@Suite struct ShardTests {
    private let cases = (0..<200).flatMap { number in
        Network.allCases.map {
            SuiteCase(test: SuiteTest(name: "test-\(number)", command: .words(["true"])), network: NetworkSchedule($0))
        }
    }

    @Test(arguments: [1, 2, 3, 4, 7, 16]) func `each test is in one shard, with all its networks`(_ count: Int) throws {
        let shards = try (1...count).map { try #require(Shard($0, of: count)) }
        for element in cases { #expect(shards.count { $0.contains(element) } == 1) }
        for shard in shards {
            let names = cases.filter(shard.contains).map(\.test.name)
            #expect(names.count == Network.allCases.count * Set(names).count)
            #expect(names.count > 400 / count / 3, "\(shard)")
        }
    }

    @Test func `the division stays as it is`() {
        let names = ["fetch", "update", "sync", "web", "integration"]
        let shards = names.map { name in
            (1...4).first {
                Shard($0, of: 4)!.contains(SuiteCase(test: SuiteTest(name: name, command: .words([])), network: .nat64))
            }!
        }
        #expect(shards == [3, 3, 3, 2, 4])
    }

    @Test(arguments: ["0/4", "5/4", "1/0", "1", "/", "a/b", "-1/4", "1/4/2", "1/99999"])
    func `no part`(_ text: String) {
        #expect(Shard(text) == nil)
    }
}
