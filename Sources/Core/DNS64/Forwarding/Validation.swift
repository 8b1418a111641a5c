// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// How a resolver validates what it tells (RFC 4035 §4): by a validator beside it, which the loop asks in place of a forwarder.
package struct Validation: Hashable, Sendable {
    /// DS and DNSKEY records of the zones that are trusted.
    package var trustAnchors: [ResourceRecord]

    package init(trustAnchors: [ResourceRecord]) {
        self.trustAnchors = trustAnchors
    }
}
