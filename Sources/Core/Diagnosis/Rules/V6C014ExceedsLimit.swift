// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation

extension Rule {
    package static let exceedsLimit = Rule(
        id: "V6C-014", title: "needs more than the NAT64 has room for",
        advice:
            "Reuse connections. Where the NAT64 is nat64sim serve, its limits are in the configuration file "
            + "(docs/nat64-configuration.md).",
        networks: .translated
    ) { examination in
        examination.run.seen.drops.filter { $0.reason.kind == .limit }.map { Observation(.drop($0.reason), "\($0).") }
    }
}
