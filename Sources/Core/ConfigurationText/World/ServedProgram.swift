/// A program of this machine that serves a port of a host.
package struct ServedProgram: Hashable, Sendable {
    /// What it gets.
    package enum Manner: Hashable, Sendable {
        /// One program for each connection, which is its standard input and output, as inetd's are. With `tls` it gets what is behind
        /// TLS, from the handshake's end on.
        case perConnection(tls: Bool)
        /// One program for the port, from the first datagram on: its standard input and output are the bound socket, as with
        /// inetd's `wait`.
        case perSocket
        /// One program for the whole run, which listens for itself. With `tls` it is given a certificate.
        case standing(ServiceKind.Transport, tls: Bool)
    }

    /// The program first.
    package var command: [String]
    package var manner: Manner

    package init(command: [String], manner: Manner = .perConnection(tls: false)) {
        self.command = command
        self.manner = manner
    }

    package var transport: ServiceKind.Transport {
        switch manner {
        case .perConnection: .tcp
        case .perSocket: .udp
        case .standing(let transport, _): transport
        }
    }
}
