// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Control

@Suite struct MetricsTextTests {
    @Test func `the text is that of Prometheus`() async throws {
        let daemon = FakeDaemon()
        let text = MetricsText(await daemon.status(), await daemon.counters()).text
        #expect(
            text == """
                # HELP nat64sim_info Always 1; the labels say what runs.
                # TYPE nat64sim_info gauge
                nat64sim_info{pref64="64:ff9b::/96",uplink="host",version="0.1.0"} 1
                # HELP nat64sim_ready Whether a client that attaches now is served.
                # TYPE nat64sim_ready gauge
                nat64sim_ready 1
                # HELP nat64sim_uptime_seconds Seconds since the start.
                # TYPE nat64sim_uptime_seconds gauge
                nat64sim_uptime_seconds 12
                # HELP nat64sim_clients Clients that are attached.
                # TYPE nat64sim_clients gauge
                nat64sim_clients{network="nat64"} 1
                nat64sim_clients{network="dual-stack"} 1
                # HELP nat64sim_sessions_opened_total Sessions that were opened.
                # TYPE nat64sim_sessions_opened_total counter
                nat64sim_sessions_opened_total{client="1"} 3
                nat64sim_sessions_opened_total{client="2"} 0

                """)
    }

    @Test func `what has a meaning in the text is escaped`() async {
        let counters = [
            Counter(
                "odd-name 1", help: "a \\ and\na \"line\"", labels: ["1st label": "a \\ and\na \"line\""], value: .max)
        ]
        let text = MetricsText(await FakeDaemon().status(), counters).text
        #expect(text.contains(#"# HELP nat64sim_odd_name_1_total a \\ and\na "line""# + "\n"))
        #expect(
            text.hasSuffix(#"nat64sim_odd_name_1_total{_st_label="a \\ and\na \"line\""} 18446744073709551615"# + "\n"))
    }

    @Test func `counters of one name stand together`() async {
        let counters = [("a", "1"), ("b", "1"), ("a", "2")].map {
            Counter($0, help: "", labels: ["client": $1], value: 0)
        }
        let text = MetricsText(await FakeDaemon().status(), counters).text
        #expect(text.components(separatedBy: "# TYPE nat64sim_a_total").count == 2)
        #expect(text.contains("nat64sim_a_total{client=\"1\"} 0\nnat64sim_a_total{client=\"2\"} 0\n"))
    }
}
