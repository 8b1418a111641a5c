// SPDX-License-Identifier: Apache-2.0
/// A listening Unix socket that never blocks. Its name in the file system, if it has one, belongs to a `UnixSocketFile`, perhaps in
/// another process.
package struct UnixListener: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over such a socket.
    package init(owning file: consuming Descriptor) {
        self.file = file
    }

    /// Readable when a connection waits to be accepted.
    package var descriptor: Int32 { file.number }

    /// A second descriptor of the socket, for an event loop that closes its own.
    package func duplicate() throws(SystemError) -> Descriptor { try file.duplicate() }
}
