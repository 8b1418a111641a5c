/// The networks that a client can be put on.
package enum Network: String, Codable, Sendable, CaseIterable {
    /// IPv6 only, with DNS64 and NAT64.
    case nat64
    /// IPv4 and IPv6 side by side, without translation: the network of the control run.
    case dualStack = "dual-stack"
}
