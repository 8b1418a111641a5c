// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Testing

@testable import Reports

@Suite struct `A report of what a client left behind` {
    private func report(_ change: (inout RunEvidence) -> Void) -> RunReport {
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .seconds(1))
        change(&run)
        return RunReport(command: ["true"], pref64: nil, run: run, control: nil)
    }

    private let style = TerminalStyle(isColoured: false)

    @Test func `names the processes that were ended with it`() throws {
        let report = report {
            $0.survivors.processes = [.init(process: 7, name: "sleep"), .init(process: 9, name: "a\u{1b}b")]
            $0.survivors.more = 3
        }
        let text = TerminalReport.render(report, style: style, verbose: false)
        #expect(text.contains("Killed leftover processes: sleep (7), a\u{fffd}b (9) and 3 more.\n"))
        let json = String(decoding: try JSONReport(report, exitCode: 0).encoded(), as: UTF8.self)
        #expect(json.contains("\"survivors\" : {\n        \"omitted\" : 3,"))
    }

    @Test func `says that its link was deleted while it ran, but not afterwards`() throws {
        var seen = NetworkEvidence()
        seen.deletedLinks = [
            .init(side: .client, time: .milliseconds(500)), .init(side: .world, time: .milliseconds(1001)),
        ]
        let run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .seconds(1), seen: seen)
        let report = RunReport(command: ["true"], pref64: nil, run: run, control: nil)
        let text = TerminalReport.render(report, style: style, verbose: false)
        #expect(text.contains("The client deleted its link (eth0) after 0.50 s; nothing has crossed it since.\n"))
        #expect(!text.contains("link to the world"))
        let json = String(decoding: try JSONReport(report, exitCode: 0).encoded(), as: UTF8.self)
        #expect(json.contains("\"deletedLinks\" : [\n        \"client\"\n      ]"))
    }

    @Test func `says nothing where there was nothing`() throws {
        let text = TerminalReport.render(report { _ in }, style: style, verbose: false)
        #expect(!text.contains("note"))
        let json = String(decoding: try JSONReport(report { _ in }, exitCode: 0).encoded(), as: UTF8.self)
        #expect(!json.contains("survivors"))
        #expect(!json.contains("deletedLinks"))
    }
}
