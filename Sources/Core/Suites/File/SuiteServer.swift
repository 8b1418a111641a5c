// SPDX-License-Identifier: Apache-2.0
/// A program that runs as a server during a case.
package struct SuiteServer: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// On the far side, at the addresses of this host of the world.
        case world(host: String)
        /// On the client's machine.
        case client
    }

    package var name: String
    package var place: Place
    package var command: SuiteTest.Command
    package var environment: [String: String]
    /// The working directory, as it is written; `nil` for the suite file's folder.
    package var folder: String?
    /// All conditions must be met.
    package var ready: [Readiness]
    /// Maximum time until it is ready.
    package var within: Duration
    /// How long it may listen at other ports only; `nil` if as long as it has time to become ready.
    package var elsewhere: Duration?

    package init(
        name: String, place: Place, command: SuiteTest.Command, environment: [String: String] = [:],
        folder: String? = nil, ready: [Readiness], within: Duration = .seconds(10)
    ) {
        self.name = name
        self.place = place
        self.command = command
        self.environment = environment
        self.folder = folder
        self.ready = ready
        self.within = within
    }

    /// The first port in its conditions for readiness.
    package var port: UInt16? {
        ready.lazy.compactMap { readiness in
            switch readiness {
            case .tcp(let port): port
            case .page(let request): request.port
            case .log, .file: nil
            }
        }.first
    }
}
