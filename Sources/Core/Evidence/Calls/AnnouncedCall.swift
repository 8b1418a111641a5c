// SPDX-License-Identifier: Apache-2.0
/// An interpreter's announcement of a call before it makes it, with the place where the program asked for it. The call itself comes later,
/// from the interpreter's own loop.
package struct AnnouncedCall: Codable, Hashable, Sendable {
    /// Index of the program in `CallEvidence.programs`.
    package var program: Int
    /// As the program named it: a name or an address.
    package var host: String
    /// `nil` for the look-up of a name.
    package var port: UInt16?
    /// Innermost first.
    package var frames: [StackFrame]
    /// Since the client's start.
    package var time: Duration

    package init(program: Int, host: String, port: UInt16?, frames: [StackFrame], time: Duration = .zero) {
        self.program = program
        self.time = time
        self.host = host
        self.port = port
        self.frames = frames
    }
}
