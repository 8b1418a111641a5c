// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation

extension Rule {
    package static let untranslatable = Rule(
        id: "V6C-006", title: "sends what no NAT64 can translate",
        advice:
            "TCP, UDP and ICMP echo cross a NAT64; other protocols, and some ICMP, do not (RFC 6146 §1.2, RFC 7915 §4.2).",
        isCompared: true
    ) { examination in
        examination.run.seen.drops.filter { $0.reason.kind == .untranslatable }.map {
            Observation(.drop($0.reason), "\($0)")
        }
    }
}
