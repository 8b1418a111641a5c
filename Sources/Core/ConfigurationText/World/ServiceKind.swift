// SPDX-License-Identifier: Apache-2.0
/// The protocol of a service.
package enum ServiceKind: Hashable, Sendable {
    case http
    case https
    /// DNS over TLS (RFC 7858).
    case dot
    /// A proxy for HTTP and SOCKS.
    case proxy
    /// The metadata service of clouds.
    case metadata
    case tcpEcho
    case udpEcho
    case program(ServedProgram)

    package enum Transport: Hashable, Sendable {
        case tcp
        case udp
    }

    package var transport: Transport {
        switch self {
        case .http, .https, .dot, .proxy, .metadata, .tcpEcho: .tcp
        case .udpEcho: .udp
        case .program(let program): program.transport
        }
    }

    /// Its word in a world file.
    package var word: String {
        switch self {
        case .http: "http"
        case .https: "https"
        case .dot: "dot"
        case .proxy: "proxy"
        case .metadata: "metadata"
        case .tcpEcho: "tcp-echo"
        case .udpEcho: "udp-echo"
        case .program: Self.programWord
        }
    }

    /// The port assigned by IANA, which is the default in a world file; a proxy has Squid's, a program none.
    package var defaultPort: UInt16? {
        switch self {
        case .http, .metadata: 80
        case .https: 443
        case .dot: 853
        case .proxy: 3128
        case .tcpEcho, .udpEcho: 7
        case .program: nil
        }
    }

    package var program: ServedProgram? {
        if case .program(let program) = self { program } else { nil }
    }

    /// Whether it requires the right to execute programs.
    package var startsPrograms: Bool { program != nil }

    static let programWord = "run"

    /// The kinds that are built in.
    static let builtIn: [ServiceKind] = [.http, .https, .dot, .proxy, .metadata, .tcpEcho, .udpEcho]
}
