// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
import Text
import Topology
package import Translation
package import Wire

/// A client that is on one of the networks.
package struct AttachedClient: Sendable {
    /// Counts up from 1; never reused in a simulator's life.
    package let id: UInt64
    package let peer: UnixPeer
    /// The name that its runner has given it, made printable.
    package let name: String
    package let since: Instant
    package let connection: any AttachedConnection
    /// `nil` if it has no runner.
    package let runner: RunnerLine?
    /// The Ethernet address of a device on an external link; `nil` for any other client.
    package let device: EthernetAddress?

    package init(
        id: UInt64, peer: UnixPeer, name: String, since: Instant, connection: any AttachedConnection,
        runner: RunnerLine? = nil, device: EthernetAddress? = nil
    ) {
        self.runner = runner
        self.device = device
        self.id = id
        self.peer = peer
        self.name = String(printable: name)
        self.since = since
        self.connection = connection
    }

    /// Sends its runner the new prefixes of NAT64s, if there is one on its network.
    package func tellPrefixes(_ prefixes: [Pref64]) {
        if connection.network?.entry.hasNAT64 == true { runner?.tell(prefixes) }
    }
}

extension String {
    /// A name from an untrusted source, for logs and tables: short, and without control sequences of terminals.
    fileprivate init(printable text: String) {
        let limit = 64
        self = Text.printable(
            text.utf8.count <= limit ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    }
}
