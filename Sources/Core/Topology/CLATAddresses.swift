// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The addresses of one client's CLAT (RFC 6877).
package struct CLATAddresses: Hashable, Sendable {
    /// The client's IPv4 address, on its own link.
    package let client = NetworkPlan.clatIPv4Client
    /// The CLAT's own IPv4 address.
    package let router = NetworkPlan.clatIPv4Router
    /// The IPv6 address that represents `client` at the NAT64.
    package let source: IPv6Address
}
