// SPDX-License-Identifier: Apache-2.0
import Text

/// A TCP port of the client's own 127.0.0.1 and ::1 that leads to a port of the machine: a database, say, that a CI job has started beside
/// the client.
package struct HostPort: Hashable, Sendable, TextCodable {
    /// The client's port.
    package let port: UInt16
    /// The machine's port.
    package let host: UInt16

    package init(_ port: UInt16, on host: UInt16) {
        self.port = port
        self.host = host
    }

    /// Why the text is no such port, in a sentence for its author.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// `5432`, or `5432:15432` for the machine's port 15432.
    package init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let ports = parts.compactMap(portNumber)
        guard (1...2).contains(parts.count), ports.count == parts.count else {
            throw Mistake(
                "a port of the machine is a number from 1 to 65535, such as 5432, or the program's and the machine's, such as 5432:15432; not "
                    + "\"\(excerpt(text))\"")
        }
        self.init(ports[0], on: ports[ports.count - 1])
    }

    /// The text that `init` reads.
    package var description: String { port == host ? "\(port)" : "\(port):\(host)" }

    /// The first client port that two of them use.
    package static func clash(among ports: [HostPort]) -> UInt16? {
        var seen = Set<UInt16>()
        return ports.map(\.port).first { !seen.insert($0).inserted }
    }
}
