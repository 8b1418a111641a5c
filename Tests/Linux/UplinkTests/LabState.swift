// SPDX-License-Identifier: Apache-2.0
import NetworkLab

extension Lab {
    /// The state of the host that a simulator may change.
    func state() throws -> String {
        try output(
            at: .host, "sh", "-c",
            "nft list ruleset; cat /proc/sys/net/ipv4/ip_forward; ip -brief link; ip -brief address; ip route; ip -6 route"
        ).text
    }
}
