// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Checks whether a port of this network namespace is taken.
package enum PortProbe {
    package enum Transport: Sendable {
        case stream
        case datagram
    }

    /// Whether a socket listens at the address (TCP), or is bound to it (UDP).
    package static func isTaken(_ address: SocketAddress, _ transport: Transport) throws(SystemError) -> Bool {
        let number =
            switch transport {
            case .stream: clinux_stream_socket(address.family)
            case .datagram: clinux_datagram_socket(address.family)
            }
        if number < 0 { throw .last("socket") }
        let file = Descriptor(owning: number)
        // With this option, a socket that is only bound, or in TIME-WAIT, does not count (socket(7)).
        if transport == .stream, clinux_reuse_address(file.number) != 0 { throw .last("setsockopt(SO_REUSEADDR)") }
        var raw = address.raw
        if unsafe clinux_bind(file.number, &raw) == 0 { return false }
        if Errno.last == .EADDRINUSE { return true }
        throw .last("bind", what: "\(address)")
    }
}
