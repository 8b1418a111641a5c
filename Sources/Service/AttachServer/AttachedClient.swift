// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
import Text
import Topology
package import Translation
package import Wire

/// A client that is on one of the networks.
package struct AttachedClient: Sendable {
    /// Counts up from 1; no two clients of a simulator's life share one.
    package let id: UInt64
    package let peer: UnixPeer
    /// What its runner calls it, made fit to be printed.
    package let name: String
    package let since: Instant
    package let connection: any AttachedConnection
    /// `nil` if it has no runner.
    package let runner: RunnerLine?
    /// A device's, on a link that is not ours; `nil` if it is none.
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

    /// Tells its runner that NAT64s have these prefixes now, if there is one on its network.
    package func tellPrefixes(_ prefixes: [Pref64]) {
        if connection.network?.entry.hasNAT64 == true { runner?.tell(prefixes) }
    }
}

extension String {
    /// A name that a stranger gave, for logs and tables: short, and without anything that a terminal obeys.
    fileprivate init(printable text: String) {
        let limit = 64
        self = Text.printable(
            text.utf8.count <= limit ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    }
}
