// SPDX-License-Identifier: Apache-2.0
/// Why a program cannot get literal synthesis.
package enum SynthesisObstacle: Codable, Hashable, Sendable {
    case staticallyLinked
    /// Go's `net` does not use the C library's getaddrinfo, or passes it no literals.
    case goProgram
    /// The dynamic loader of another C library loads it.
    case otherLoader(String)
    case otherMachine
    /// Set-user-ID and the like: the dynamic loader ignores LD_PRELOAD.
    case privileged
    /// The program can be executed but not read, so its kind is unknown.
    case unreadable
    /// Neither an ELF executable nor a script.
    case unknownFormat
    /// Its environment's LD_PRELOAD no longer names the library.
    case clearedEnvironment

    /// A machine-readable name for reports.
    package var name: String {
        switch self {
        case .staticallyLinked: "static"
        case .goProgram: "go"
        case .otherLoader: "other-loader"
        case .otherMachine: "other-machine"
        case .privileged: "privileged"
        case .unreadable: "unreadable"
        case .unknownFormat: "unknown-format"
        case .clearedEnvironment: "cleared-environment"
        }
    }
}

/// A program started by the client; any literals that it looked up were handled as on plain Linux.
package struct UncoveredProgram: Codable, Hashable, Sendable {
    package var path: String
    package var obstacle: SynthesisObstacle

    package init(path: String, obstacle: SynthesisObstacle) {
        self.path = path
        self.obstacle = obstacle
    }
}
