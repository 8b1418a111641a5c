package import Evidence
import FoundationEssentials
package import LinuxNet

/// The evidence on its way from the daemon to the runner: a file in memory, for it may be longer than a message.
package enum EvidenceFile {
    /// Octets that a runner reads at most. The daemon's bounded logs make some megabytes.
    static let longest = 64 << 20

    package static func make(_ evidence: NetworkEvidence) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(evidence)))
    }

    /// Nil where it holds something else.
    package static func read(_ file: borrowing Descriptor) -> NetworkEvidence? {
        guard let octets = try? MemoryFile.contents(of: file, most: longest) else { return nil }
        return try? JSONDecoder().decode(NetworkEvidence.self, from: Data(octets))
    }
}
