// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Whether somebody has a port of this network namespace.
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
        // With this a socket that only is bound, or one in TIME-WAIT, is not in the way (socket(7)).
        if transport == .stream, clinux_reuse_address(file.number) != 0 { throw .last("setsockopt(SO_REUSEADDR)") }
        var raw = address.raw
        if unsafe clinux_bind(file.number, &raw) == 0 { return false }
        if Errno.last == .EADDRINUSE { return true }
        throw .last("bind", what: "\(address)")
    }
}
