// SPDX-License-Identifier: Apache-2.0
import Sandbox
import Testing
import Wire

@testable import CheckRunner

@Suite struct `Progress of a further run` {
    private let start = Instant(nanoseconds: 5_000_000_000)

    @Test func `is said after ten seconds, and then once a minute in the log of a CI service`() throws {
        var progress = try #require(Progress("control run", Environment(entries: ["CI=true"]), isTerminal: false))
        #expect(progress.advance(to: start, since: start) == start + .seconds(10))
        #expect(progress.advance(to: start + .seconds(9), since: start) == start + .seconds(10))
        #expect(progress.advance(to: start + .seconds(10), since: start) == start + .seconds(70))
        #expect(progress.advance(to: start + .seconds(200), since: start) == start + .seconds(250))
        progress.end()
    }

    @Test func `is said every second on a terminal`() throws {
        var progress = try #require(Progress("control run", Environment(entries: []), isTerminal: true))
        #expect(progress.advance(to: start + .seconds(12), since: start) == start + .seconds(13))
        progress.end()
    }

    @Test(arguments: [[], ["CI=false"], ["CI="]]) func `is not said where nobody reads it`(_ entries: [String]) {
        let environment = Environment(entries: entries.map { OSString($0) })
        #expect(Progress("control run", environment, isTerminal: false) == nil)
    }
}
