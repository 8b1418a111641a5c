// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Testing

@testable import Reports

@Suite struct RunChartTests {
    @Test(arguments: [
        (Duration.milliseconds(3), ["0 ms", "1 ms", "2 ms", "3 ms"]),
        (.milliseconds(40), ["0 ms", "10 ms", "20 ms", "30 ms", "40 ms"]),
        (.milliseconds(810), ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s"]),
        (.seconds(60), ["0 s", "20 s", "40 s", "60 s"]),
        (.microseconds(900), ["0 ms", "0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms"]),
    ])
    func `ticks stand at round numbers`(_ end: Duration, _ labels: [String]) throws {
        let axis = try #require(TimeAxis(until: end))
        #expect(axis.ticks.map(\.label) == labels)
    }

    @Test(arguments: [Duration.nanoseconds(1), .seconds(Int64.max)])
    func `an axis of any length has a few ticks`(_ end: Duration) throws {
        let axis = try #require(TimeAxis(until: end))
        #expect((1...6).contains(axis.ticks.count))
    }

    @Test func `a run without time has no axis`() { #expect(TimeAxis(until: .zero) == nil) }

    @Test func `times outside of the run are drawn at its ends`() throws {
        let axis = try #require(TimeAxis(until: .seconds(1)))
        #expect(axis.percent(.seconds(-5)) == 0)
        #expect(axis.percent(.milliseconds(250)) == 25)
        #expect(axis.percent(.seconds(Int64.max)) == 100)
    }

    private func run(_ flows: [Flow]) -> RunEvidence {
        RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(1), flows: flows)
    }

    private func page(_ run: RunEvidence) -> String {
        var page = HTMLWriter()
        RunChart.write(run, findings: [], &page)
        return page.text
    }

    private func flow(_ port: UInt16, _ times: FlowTimes?, accepted: Int = 0) -> Flow {
        var flow = Flow(.tcp, "64:ff9b::c633:640a", port, .direct, attempts: 1, accepted: accepted)
        flow.times = times
        return flow
    }

    @Test func `a connection is drawn from its first packet to its last, and one without an answer is bad`() {
        let page = page(
            run([
                flow(80, FlowTimes(first: .milliseconds(100), last: .milliseconds(600)), accepted: 1),
                flow(81, FlowTimes(first: .seconds(1), last: .seconds(1))),
            ]))
        #expect(page.contains(#"<svg class="good" role="img"><title>0.1 s to 0.6 s</title>"#))
        #expect(page.contains(#"<rect x="10.0%" y="1" width="50.0%" height="6">"#))
        #expect(page.contains(#"<svg class="bad" role="img"><title>at 1.0 s</title>"#))
        // What took no time, at the very end, is still seen.
        #expect(page.contains(#"<rect x="99.7%" y="1" width="0.3%" height="6">"#))
    }

    @Test func `a flow whose last packet came before its first does not trap`() {
        #expect(page(run([flow(80, FlowTimes(first: .seconds(2), last: .seconds(-1)))])).contains("<rect"))
    }

    @Test func `rows have a limit, and how many more there are is said`() {
        let flows = (1...30).map { flow($0, FlowTimes(first: .zero, last: .zero)) }
        #expect(page(run(flows)).contains("<p>and 5 more</p>"))
    }

    @Test func `what is not drawn leaves no empty chart`() {
        #expect(page(run([flow(80, nil)])).isEmpty)
    }
}
