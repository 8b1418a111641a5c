// SPDX-License-Identifier: Apache-2.0
/// A connection to a Unix socket that has a path, as the preloaded library saw it. Its listener need not be on the client's network.
package struct LocalConnection: Codable, Hashable, Sendable {
    /// As the client wrote it.
    package var path: String
    /// The name of the executable that connected; `nil` if it is not known.
    package var program: String?

    package init(path: String, program: String?) {
        self.path = path
        self.program = program
    }
}
