import Evidence

extension Rule {
    package static let refusedByTranslator = Rule(
        id: "V6C-006", title: "sends what no NAT64 can translate",
        advice:
            "TCP, UDP and ICMP echo cross a NAT64; other protocols, and some ICMP, do not (RFC 6146 §1.2, RFC 7915 §4.2).",
        isCompared: true
    ) { examination in
        examination.run.refusals.filter { $0.kind == .untranslatable }.map {
            Observation($0.reason, "\($0.count) × \($0.reason): \($0.explanation) (\($0.example))")
        }
    }
}
