// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The client's standard input, output and error; `nil` for the runner's own.
package struct StandardStreams: Hashable, Sendable {
    package var input: Int32?
    package var output: Int32?
    package var error: Int32?

    package static let inherited = StandardStreams(input: nil, output: nil, error: nil)

    package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// The client's numbers, and the descriptors that replace them.
    var replacements: [(number: Int32, by: Int32)] {
        [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)].compactMap { number, descriptor in
            descriptor.map { (number, $0) }
        }
    }
}
