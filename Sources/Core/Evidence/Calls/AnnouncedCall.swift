// SPDX-License-Identifier: Apache-2.0
/// What an interpreter said of a call before it made it: where the program asked for it. The call itself comes later, from the
/// interpreter's own loop.
package struct AnnouncedCall: Codable, Hashable, Sendable {
    /// Where in `CallEvidence.programs` the program is.
    package var program: Int
    /// As the program named it: a name or an address.
    package var host: String
    /// `nil` of the look-up of a name.
    package var port: UInt16?
    /// The innermost first.
    package var frames: [StackFrame]

    package init(program: Int, host: String, port: UInt16?, frames: [StackFrame]) {
        self.program = program
        self.host = host
        self.port = port
        self.frames = frames
    }
}
