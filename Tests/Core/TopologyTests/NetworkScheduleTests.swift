// SPDX-License-Identifier: Apache-2.0
import Evidence
import FoundationEssentials
import Testing

@testable import Topology

@Suite struct `A schedule of networks` {
    typealias Phase = NetworkSchedule.Phase

    private static let read: [(text: String, phases: [Phase], network: Network)] = [
        ("nat64", [Phase(network: .nat64, duration: nil)], .nat64),
        (
            "dual-stack 5s, none 1s, nat64",
            [
                Phase(network: .dualStack, duration: .seconds(5)), Phase(network: nil, duration: .seconds(1)),
                Phase(network: .nat64, duration: nil),
            ], .nat64
        ),
        (
            "nat64+clat 500ms,dual-stack",
            [Phase(network: .nat64CLAT, duration: .milliseconds(500)), Phase(network: .dualStack, duration: nil)],
            .nat64CLAT
        ),
        (
            " none  10ms ,\tdual-stack 1h, none",
            [
                Phase(network: nil, duration: .milliseconds(10)), Phase(network: .dualStack, duration: .seconds(3600)),
                Phase(network: nil, duration: nil),
            ], .dualStack
        ),
        (
            "strict 2s, nat64 1.5s, strict",
            [
                Phase(network: .strict, duration: .seconds(2)), Phase(network: .nat64, duration: .milliseconds(1500)),
                Phase(network: .strict, duration: nil),
            ], .strict
        ),
    ]

    @Test(arguments: read) func `is read, and judged by the last network that is not the control run's`(
        text: String, phases: [Phase], network: Network
    ) throws {
        let schedule = try NetworkSchedule(text)
        #expect(schedule.phases == phases)
        #expect(schedule.network == network)
        #expect(try NetworkSchedule(schedule.description) == schedule)
    }

    @Test func `has a name without blanks, by which others of the same file are told apart`() throws {
        let schedule = try NetworkSchedule("dual-stack 5000ms,none 1.5s, nat64")
        #expect(schedule.description == "dual-stack 5s, none 1500ms, nat64")
        #expect(schedule.name == "dual-stack-5s,none-1500ms,nat64")
        #expect(NetworkSchedule.nat64.name == "nat64")
        // Schedules with the same text are equal.
        #expect(try NetworkSchedule("strict 10.2ms, nat64") == NetworkSchedule("strict 10.4ms, nat64"))
    }

    /// No duration is off by a thousandth of a second, as a quotient of two Doubles would be.
    @Test func `keeps its times to the millisecond`() throws {
        for seconds in 1...3600 {
            #expect(try NetworkSchedule("strict \(seconds)s, nat64").name == "strict-\(seconds)s,nat64")
        }
    }

    @Test func `travels as it is, also where a control run has more than a file may ask for`() throws {
        let schedule = try NetworkSchedule("strict 1h, nat64 1h, none").control
        #expect(try JSONDecoder().decode(NetworkSchedule.self, from: JSONEncoder().encode(schedule)) == schedule)
    }

    private static let refused: [(text: String, mistake: NetworkSchedule.Mistake)] = [
        ("", .malformedPhase("")), ("nat64,", .missingTime("nat64")), ("nat64 5s,", .malformedPhase("")),
        ("nat65", .unknownNetwork("nat65")), ("none", .noNetwork), ("nat64 5s", .needlessTime("nat64")),
        ("dual-stack, nat64", .missingTime("dual-stack")), ("dual-stack 5 s, nat64", .malformedPhase("dual-stack 5 s")),
        ("dual-stack 9ms, nat64", .time("9ms")), ("dual-stack 3601s, nat64", .time("3601s")),
        ("dual-stack soon, nat64", .time("soon")), ("nat64 1s, nat64", .repeatedNetwork("nat64")),
        ("none 1s, none 1s, nat64", .repeatedNetwork("none")),
        (Array(repeating: "x", count: 101).joined(separator: ","), .tooMany(101)),
    ]

    @Test(arguments: refused) func `is refused with what is wrong`(text: String, mistake: NetworkSchedule.Mistake) {
        #expect(throws: mistake) { try NetworkSchedule(text) }
        #expect(!mistake.description.isEmpty)
    }

    @Test func `names the network that was most likely meant`() {
        #expect("\(NetworkSchedule.Mistake.unknownNetwork("nat65"))".contains(#"(did you mean "nat64"?)"#))
    }

    @Test(arguments: [
        ("nat64", "dual-stack"), ("strict 2s, nat64", "dual-stack"),
        ("dual-stack 5s, none 1s, nat64", "dual-stack 5s, none 1s, dual-stack"),
        ("strict 2s, nat64 1s, none 1s, strict 2s, nat64", "dual-stack 3s, none 1s, dual-stack"),
        ("nat64 1s, none 2s, strict 3s, none", "dual-stack 1s, none 2s, dual-stack 3s, none"),
    ])
    func `has a control run on dual-stack with the same gaps`(text: String, control: String) throws {
        #expect(try NetworkSchedule(text).control == NetworkSchedule(control))
    }
}
