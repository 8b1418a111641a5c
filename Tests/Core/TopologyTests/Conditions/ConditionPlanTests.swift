// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@testable import Topology

@Suite struct ConditionPlanTests {
    private func conditions(_ texts: String..., on network: Network = .nat64) throws -> Conditions {
        try ConditionPlan(texts).on(network)
    }

    @Test func `a preset has its two directions`() throws {
        let lte = try conditions("lte")
        #expect(lte.down.delay == .milliseconds(50) && lte.down.rate == 50_000_000)
        #expect(lte.up.delay == .milliseconds(65) && lte.up.rate == 10_000_000)
        #expect(try conditions("gsm").up.delay == .milliseconds(350))
        #expect(try conditions("gsm").up.jitter == .milliseconds(200))
        #expect(try conditions("gsm").down.rate == 14_400)
    }

    @Test(arguments: ["Very Bad Network", "very-bad-network", "VERY_BAD_NETWORK", "verybadnetwork"])
    func `a name is known however it is written`(_ name: String) throws {
        #expect(try conditions(name).down.loss == 100_000)
    }

    @Test func `every preset is found by its own name, and there are no two of one`() throws {
        for preset in ConditionPreset.all {
            #expect(try conditions(preset.name) == preset.conditions, "\(preset.name)")
        }
        #expect(Set(ConditionPreset.all.map(\.name)).count == ConditionPreset.all.count)
        #expect(ConditionPreset.all.allSatisfy { !$0.conditions.areNone && $0.conditions.objection == nil })
    }

    @Test func `values are read`() throws {
        let all = try conditions(
            "delay=80ms,jitter=20ms,loss=1%,reorder=0.5%,duplicate=0.1%,corrupt=0.0001%,rate=5mbit,dns-delay=3s,down=10s-15s,no-uplink"
        )
        #expect(all.down == all.up)
        #expect(all.up.delay == .milliseconds(80) && all.up.jitter == .milliseconds(20))
        #expect(all.up.loss == 10_000 && all.up.reorder == 5_000 && all.up.duplicate == 1_000 && all.up.corrupt == 1)
        #expect(all.up.rate == 5_000_000 && all.dnsDelay == .seconds(3))
        #expect(all.outage == .seconds(10) ..< .seconds(15) && !all.hasUplink)
    }

    @Test func `one direction alone`() throws {
        let conditions = try conditions("down-delay=400ms,up-rate=14.4kbit")
        #expect(conditions.down.delay == .milliseconds(400) && conditions.up.delay == .zero)
        #expect(conditions.down.rate == nil && conditions.up.rate == 14_400)
    }

    @Test func `the later one counts`() throws {
        #expect(try conditions("lte,loss=3%").down.loss == 30_000)
        #expect(try conditions("lte,loss=3%").down.delay == .milliseconds(50))
        #expect(try conditions("lte", "delay=1s", "down-delay=2s").up.delay == .seconds(1))
        #expect(try conditions("loss=3%", "lte").down.loss == 0)
    }

    @Test func `one network alone`() throws {
        let plan = try ConditionPlan(["loss=1%", "nat64:delay=80ms,loss=2%"])
        #expect(plan.on(.nat64).down.delay == .milliseconds(80) && plan.on(.nat64).down.loss == 20_000)
        #expect(plan.on(.dualStack).down.delay == .zero && plan.on(.dualStack).down.loss == 10_000)
        #expect(plan.written(on: .nat64) == ["loss=1%", "delay=80ms,loss=2%"])
        #expect(plan.written(on: .dualStack) == ["loss=1%"])
        #expect(try ConditionPlan(["nat64:lte"]).written(on: .strict).isEmpty)
        #expect(ConditionPlan().on(.nat64).areNone)
    }

    @Test(arguments: [
        ("", "no conditions ;"), ("lte,", "no conditions ;"), ("ltee", "did you mean lte?"),
        ("very-bad-netwrk", "did you mean very-bad-network?"), ("help", "3g, dsl"), ("dely=1s", "did you mean delay?"),
        ("delay", "did you mean delay?"), ("delay=61s", "from 0 to 60s"), ("delay=-1ms", "from 0 to 60s"),
        ("delay=", "from 0"),
        ("loss=1", "percentage"), ("loss=101%", "percentage"), ("loss=0.00001%", "percentage"),
        ("loss=%", "percentage"),
        ("loss=1.%", "percentage"), ("rate=5", "bits a second"), ("rate=0kbit", "bits a second"),
        ("rate=99999999999999999999mbit", "bits a second"), ("rate=11gbit", "bits a second"),
        ("down=15s-10s", "two times"), ("down=10s", "two times"), ("down=1-2-3", "two times"),
        ("flap=0s", "from 1ms to 60s"),
        ("jitter=20ms", "larger than the delay"), ("reorder=1%", "needs a delay"), ("up-down-delay=1s", "no condition"),
        ("wifi:lte", "no network wifi"), (":lte", "no network"), ("nat64:", "no conditions"),
        (String(repeating: "a", count: 100_000), "no conditions aaaa"),
        (String(repeating: "lte,", count: 100_000), "100 conditions"),
    ])
    func `what is none is refused with a word`(_ text: String, _ expected: String) {
        let error = #expect(throws: ConditionError.self) { try ConditionPlan([text]) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
        #expect((error?.description.count ?? 0) < 500)
    }
}
