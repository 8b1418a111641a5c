// SPDX-License-Identifier: Apache-2.0
package import Evidence
import FoundationEssentials
package import LinuxNet

/// The evidence as passed from the daemon to the runner: a file in memory, as it may be longer than a message.
package enum EvidenceFile {
    /// Limit of octets that a runner reads. The daemon's bounded logs make some megabytes.
    static let maximum = 64 << 20

    /// Does the one-time work of the first encoding in a process, for a caller that has time now.
    package static func prepareToMake() { _ = try? JSONEncoder().encode(NetworkEvidence()) }

    /// Does the one-time work of the first decoding in a process, which is less.
    package static func prepareToRead() { _ = read(empty) }

    /// The evidence of a client of which nothing was observed.
    static let empty = Array("{}".utf8)

    package static func make(_ evidence: NetworkEvidence) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(evidence)))
    }

    /// `nil` if the file holds something else.
    package static func read(_ file: borrowing Descriptor) -> NetworkEvidence? {
        guard let octets = try? MemoryFile.contents(of: file, maximum: maximum) else { return nil }
        return read(octets)
    }

    static func read(_ octets: [UInt8]) -> NetworkEvidence? {
        try? JSONDecoder().decode(NetworkEvidence.self, from: Data(octets))
    }
}
