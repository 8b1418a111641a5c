// SPDX-License-Identifier: Apache-2.0
/// Whom the resolver asks what it does not know itself.
package enum UpstreamServer: Hashable, Sendable {
    /// Another resolver, over a socket.
    case forwarder(Endpoint)
    /// The validator beside the resolver, which the loop asks (RFC 4035 §4).
    case validator
}
