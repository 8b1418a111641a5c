// SPDX-License-Identifier: Apache-2.0
/// Why a program cannot be given literal synthesis.
package enum SynthesisObstacle: Codable, Hashable, Sendable {
    case staticallyLinked
    /// Go's `net` does without the C library's getaddrinfo, or gives it no literals.
    case goProgram
    /// Loaded by the dynamic loader of another C library.
    case otherLoader(String)
    case otherMachine
    /// Set-user-ID and the like: the dynamic loader ignores LD_PRELOAD.
    case privileged
    /// It is unknown what it is: it can be executed and not read.
    case unreadable
    /// Neither an ELF executable nor a script.
    case unknownFormat
    /// It was started with an environment in which LD_PRELOAD no longer names the library.
    case clearedEnvironment

    /// A word for programs that read reports.
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

/// A program that the client has started, and that looked up literals, if it did, as on plain Linux.
package struct UncoveredProgram: Codable, Hashable, Sendable {
    package var path: String
    package var obstacle: SynthesisObstacle

    package init(path: String, obstacle: SynthesisObstacle) {
        self.path = path
        self.obstacle = obstacle
    }
}
