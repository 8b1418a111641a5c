// SPDX-License-Identifier: Apache-2.0
import Topology
import Wire
import DNSWire

/// A value of a world file, and its position.
struct Located<Value> {
    var value: Value
    var position: SourcePosition
}

/// A host of a world file, whose parts were checked individually, but not yet together.
struct HostDeclaration {
    var name: Located<DomainName>
    var ttl: UInt32
    var addresses: [Located<IPAddress>]
    var services: [Located<ServiceDeclaration>]
    /// The path to the host; its position is that of the host.
    var path: HostPath
}

struct ServiceDeclaration: Hashable {
    var kind: ServiceKind
    var port: UInt16
    var web = WebSettings()
}

/// Limits of a world file.
enum WorldFileLimits {
    /// Sockets to listen on: hosts × addresses × services.
    static let services = 1024
    /// Hosts that have a link or a path.
    static let paths = 64
    /// Words of a program's command.
    static let words = 256
    /// Names and addresses of a certificate.
    static let certificateNames = 64
    /// Paths with a reply of their own per service, and the octets of one reply.
    static let replies = 64
    static let replyOctets = 1 << 20
}
