import Evidence
import FoundationEssentials
import LinuxNet
import Simulator
import Text

/// A client that is on one of the networks.
struct AttachedClient: Sendable {
    /// Counts up from 1; no two clients of a daemon's life share one.
    let id: UInt64
    let peer: UnixPeer
    /// What its runner calls it, made fit to be printed.
    let name: String
    let since: Date
    let connection: Connection
}

extension String {
    /// A name that a stranger gave, for logs and tables: short, and without anything that a terminal obeys.
    init(printable text: String) {
        self = Text.printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(64))))
    }
}
