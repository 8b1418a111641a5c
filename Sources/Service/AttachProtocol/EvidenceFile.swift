// SPDX-License-Identifier: Apache-2.0
package import Evidence
import FoundationEssentials
package import LinuxNet

/// The evidence on its way from the daemon to the runner: a file in memory, for it may be longer than a message.
package enum EvidenceFile {
    /// Octets that a runner reads at most. The daemon's bounded logs make some megabytes.
    static let maximum = 64 << 20

    /// Does what the first making of a process takes, for one who has the time now.
    package static func prepareToMake() { _ = try? JSONEncoder().encode(NetworkEvidence()) }

    /// Does what the first reading of a process takes, which is less.
    package static func prepareToRead() { _ = read(empty) }

    /// The evidence of a client of which nothing was seen.
    static let empty = Array("{}".utf8)

    package static func make(_ evidence: NetworkEvidence) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(evidence)))
    }

    /// `nil` if it holds something else.
    package static func read(_ file: borrowing Descriptor) -> NetworkEvidence? {
        guard let octets = try? MemoryFile.contents(of: file, maximum: maximum) else { return nil }
        return read(octets)
    }

    static func read(_ octets: [UInt8]) -> NetworkEvidence? {
        try? JSONDecoder().decode(NetworkEvidence.self, from: Data(octets))
    }
}
