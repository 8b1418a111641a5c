// SPDX-License-Identifier: Apache-2.0
/// A program that serves while a case runs.
package struct SuiteServer: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// On the far side, reached at the addresses of this host of the world.
        case world(host: String)
        /// On the client's machine.
        case client
    }

    package var name: String
    package var place: Place
    package var command: SuiteTest.Command
    package var environment: [String: String]
    /// The working directory, as it is written; `nil` is the suite file's folder.
    package var folder: String?
    /// All of them have to hold.
    package var ready: [Readiness]
    /// How long it may take to become ready.
    package var within: Duration

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

    /// The first port that it is ready at.
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
