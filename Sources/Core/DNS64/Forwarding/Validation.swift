// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// How a resolver validates its answers (RFC 4035 §4): with a validator beside it, which the loop asks instead of a forwarder.
package struct Validation: Hashable, Sendable {
    /// DS and DNSKEY records of the trusted zones.
    package var trustAnchors: [ResourceRecord]

    package init(trustAnchors: [ResourceRecord]) {
        self.trustAnchors = trustAnchors
    }
}
