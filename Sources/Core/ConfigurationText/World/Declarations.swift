// SPDX-License-Identifier: Apache-2.0
import Topology
import Wire
import DNSWire

/// A value of a world file, and its position in it.
struct Located<Value> {
    var value: Value
    var position: SourcePosition
}

/// A host as declared in the world file. Each part is valid by itself; conflicts between parts, and with other hosts, are not checked yet.
struct HostDeclaration {
    var name: Located<DomainName>
    /// In seconds.
    var ttl: UInt32
    var addresses: [Located<IPAddress>]
    var services: [Located<ServiceDeclaration>]
    /// The path from the simulator's router to the host, and the host's link.
    var path: HostPath
}

struct ServiceDeclaration: Hashable {
    var kind: ServiceKind
    var port: UInt16
    var web = WebSettings()
}

/// Limits of a world file.
enum WorldFileLimits {
    /// Sockets to listen on (address, transport and port), and services of one host.
    static let services = 1024
    /// Hosts that have a link or a path.
    static let paths = 64
    /// Words of a program's command.
    static let words = 256
    /// Names and addresses of a certificate.
    static let certificateNames = 64
    /// Paths with a reply, in each service of a host.
    static let replies = 64
    /// Octets of a reply's file.
    static let replyOctets = 1 << 20
}
