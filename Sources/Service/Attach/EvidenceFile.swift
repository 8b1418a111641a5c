package import Evidence
import FoundationEssentials
package import LinuxNet

/// The evidence on its way from the daemon to the runner: a file in memory, for it may be longer than a message.
package enum EvidenceFile {
    /// Octets that a runner reads at most. The daemon's bounded logs make some megabytes.
    static let maximum = 64 << 20

    /// Does what the first making and reading of a process takes, for one who has the time now.
    package static func prepare() {
        guard let octets = try? JSONEncoder().encode(NetworkEvidence()) else { return }
        _ = try? JSONDecoder().decode(NetworkEvidence.self, from: octets)
    }

    package static func make(_ evidence: NetworkEvidence) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(evidence)))
    }

    /// `nil` if it holds something else.
    package static func read(_ file: borrowing Descriptor) -> NetworkEvidence? {
        guard let octets = try? MemoryFile.contents(of: file, maximum: maximum) else { return nil }
        return try? JSONDecoder().decode(NetworkEvidence.self, from: Data(octets))
    }
}
