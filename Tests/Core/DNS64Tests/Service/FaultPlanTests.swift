// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

@testable import DNS64

@Suite("Faults that come and go")
struct FaultPlanTests {
    private func meet(_ plan: inout FaultPlan, _ name: String = "a.test") throws -> [String] {
        plan.effects(on: Question(name: try DomainName(name), type: .a), over: .udp).map(\.description)
    }

    @Test
    func `a fault that stays goes on counting, and one that comes begins`() throws {
        let second = try Fault(presentation: "a.test 2 drop")
        let third = try Fault(presentation: "3- ttl 0")
        var plan = FaultPlan([second, third])
        #expect(try meet(&plan).isEmpty)
        plan.replace(with: [try Fault(presentation: "1 ede 1"), second])
        #expect(try meet(&plan) == ["ede 1", "drop"])
        plan.replace(with: [third, second])
        #expect(try meet(&plan).isEmpty)
        #expect(plan.counts.map(\.met) == [1, 3] && plan.counts.map(\.happened) == [0, 1])
    }

    @Test
    func `of two faults that are the same each counts for itself`() throws {
        let first = try Fault(presentation: "1 drop")
        var plan = FaultPlan([first])
        _ = try meet(&plan)
        plan.replace(with: [first, first])
        #expect(try meet(&plan) == ["drop"])
        #expect(plan.counts.map(\.met) == [2, 1])
    }
}
