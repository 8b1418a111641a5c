/// What a service speaks. The raw value is its word in a world file.
public enum ServiceKind: String, CaseIterable, Hashable, Sendable {
    case http
    case https
    case tcpEcho = "tcp-echo"
    case udpEcho = "udp-echo"

    public enum Transport: Hashable, Sendable {
        case tcp
        case udp
    }

    public var transport: Transport {
        switch self {
        case .http, .https, .tcpEcho: .tcp
        case .udpEcho: .udp
        }
    }

    /// The port assigned by IANA, which a service has unless the world file says otherwise.
    public var defaultPort: UInt16 {
        switch self {
        case .http: 80
        case .https: 443
        case .tcpEcho, .udpEcho: 7
        }
    }
}
