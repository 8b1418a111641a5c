/// A network interface, as it was when asked for.
public struct Link: Hashable, Sendable {
    /// The number by which the kernel knows an interface, in one network namespace.
    public struct Index: Hashable, Sendable {
        public let number: Int32

        public init(_ number: Int32) {
            self.number = number
        }

        /// The kernel makes `lo` first in every network namespace.
        public static let loopback = Index(1)
    }

    public let index: Index
    public let name: String
    public let mtu: Int
    public let isUp: Bool
}

extension Link.Index: CustomStringConvertible {
    public var description: String { "#\(number)" }
}

/// What `RouteSocket.change` changes; what is nil stays.
public struct LinkChange: Hashable, Sendable {
    public var isUp: Bool?
    public var mtu: Int?
    /// False: the kernel gives the link no link-local address, and so sends no router solicitations on it.
    public var generatesLinkLocalAddress: Bool?

    public init(isUp: Bool? = nil, mtu: Int? = nil, generatesLinkLocalAddress: Bool? = nil) {
        self.isUp = isUp
        self.mtu = mtu
        self.generatesLinkLocalAddress = generatesLinkLocalAddress
    }
}
