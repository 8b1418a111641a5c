// SPDX-License-Identifier: Apache-2.0
/// A server that the resolver asks for names that it does not know.
package enum UpstreamServer: Hashable, Sendable {
    /// Another resolver, over a socket.
    case forwarder(Endpoint)
    /// The validator beside the resolver, called by the loop (RFC 4035 §4).
    case validator
}
