import Evidence

extension Rule {
    package static let exceedsLimit = Rule(
        id: "V6C-014", title: "needs more than the NAT64 has room for",
        advice:
            "Reuse connections. Where the NAT64 is nat64sim serve, its limits are in the configuration file "
            + "(docs/nat64-configuration.md).",
        networks: [.nat64]
    ) { examination in
        examination.run.refusals.filter { $0.kind == .limit }.map {
            Observation($0.reason, "\($0.count) × \($0.reason): \($0.explanation) (\($0.example)).")
        }
    }
}
