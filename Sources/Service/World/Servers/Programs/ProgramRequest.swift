// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// A request to `ProgramHost`: the wish, the program, and the addresses of the client's connection.
struct ProgramRequest: Equatable, Sendable {
    enum Wish: UInt8 {
        /// Start the program.
        case start
        /// Report whether it is ready, and if not, which condition it does not meet.
        case readiness
        /// Return the end of its output.
        case output
        /// Renew it for the next run: end its running processes, and prepare it in an empty folder.
        case renewal
    }

    var wish = Wish.start
    /// The program's number in the world.
    let number: Int
    /// The service's address.
    let local: SocketAddress
    /// The client's address; `nil` if the program is for the port.
    let peer: SocketAddress?

    init(_ number: Int, _ wish: Wish = .start, local: SocketAddress, peer: SocketAddress? = nil) {
        self.wish = wish
        self.number = number
        self.local = local
        self.peer = peer
    }

    /// The variables that ucspi-tcp's tcpserver sets for its programs.
    func variables(_ transport: String) -> [(name: String, value: String)] {
        var variables = [
            (name: "PROTO", value: transport), (name: "\(transport)LOCALIP", value: "\(local.host)"),
            (name: "\(transport)LOCALPORT", value: "\(local.port)"),
        ]
        if let peer {
            variables.append((name: "\(transport)REMOTEIP", value: "\(peer.host)"))
            variables.append((name: "\(transport)REMOTEPORT", value: "\(peer.port)"))
        }
        return variables
    }
}

/// The message between two processes: the wish, the number, and for each address the length and octets of its host, and the port.
///
///      0      1        3      4                20       22     23               39       41
///     +------+--------+------+----------------+--------+------+----------------+--------+
///     | wish | number | 4/16 | local host     | port   | 0..  | peer host      | port   |
///     +------+--------+------+----------------+--------+------+----------------+--------+
extension ProgramRequest {
    static let length = 41

    init?(_ octets: some Collection<UInt8>) {
        let octets = Array(octets)
        guard octets.count == Self.length, let wish = Wish(rawValue: octets[0]),
            let local = SocketAddress(field: octets[3..<22])
        else { return nil }
        self.init(
            Int(octets[1]) << 8 | Int(octets[2]), wish, local: local, peer: SocketAddress(field: octets[22..<41]))
    }

    var octets: [UInt8] {
        [wish.rawValue, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] + local.field
            + (peer?.field ?? Array(repeating: 0, count: SocketAddress.fieldLength))
    }
}

extension SocketAddress {
    fileprivate static let fieldLength = 19

    fileprivate init?(field: ArraySlice<UInt8>) {
        let octets = field.dropFirst().prefix(16)
        let port = UInt16(field[field.endIndex - 2]) << 8 | UInt16(field[field.endIndex - 1])
        switch field.first {
        case 4: self.init(IPv4Address(bits: octets.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }), port: port)
        case 16: self.init(IPv6Address(bits: octets.reduce(0) { $0 << 8 | UInt128($1) }), port: port)
        default: return nil
        }
    }

    fileprivate var field: [UInt8] {
        let octets = host.octets
        return [UInt8(octets.count)] + octets + Array(repeating: 0, count: 16 - octets.count)
            + [UInt8(port >> 8), UInt8(port & 0xff)]
    }
}
