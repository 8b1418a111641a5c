// SPDX-License-Identifier: Apache-2.0
/// The real network behind a simulated one, if it replaces a hermetic world.
package struct HostNetwork: Codable, Hashable, Sendable {
    /// Whether clients have IPv6 there; otherwise the far side is IPv4 alone, on dual-stack too.
    package var hasIPv6: Bool

    package init(hasIPv6: Bool) {
        self.hasIPv6 = hasIPv6
    }
}
