// SPDX-License-Identifier: Apache-2.0
internal import Evidence
internal import LinuxNet

/// Messages between the runner and the bridge process, which connects to the machine's ports. Both are the same executable.
enum BridgeMessage {
    /// With a socket that listens on the client's network, for the port with this index.
    case serve(index: UInt8)
    /// The client has ended.
    case finish

    init?(_ octets: [UInt8]) {
        switch (octets.count, octets.first) {
        case (2, 1): self = .serve(index: octets[1])
        case (1, 2): self = .finish
        default: return nil
        }
    }

    func send(over channel: borrowing UnixSocket, _ descriptor: Int32? = nil) throws(SystemError) {
        let octets: [UInt8] =
            switch self {
            case .serve(let index): [1, index]
            case .finish: [2]
            }
        try channel.send(octets.span, descriptor: descriptor)
    }

    // MARK: - The answer to `finish`: for each port, the numbers of connections and of refused ones, 8 octets each

    static func octets(of uses: [HostPortUse]) -> [UInt8] {
        uses.flatMap { use in
            [use.connections, use.refused].flatMap { count in
                (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
            }
        }
    }

    static func uses(_ octets: [UInt8], of ports: [HostPort]) -> [HostPortUse]? {
        guard octets.count == ports.count * 16 else { return nil }
        func count(at start: Int) -> Int { (0..<8).reduce(0) { $0 | Int(octets[start + $1]) << ($1 * 8) } }
        return ports.indices.map { index in
            var use = HostPortUse(ports[index])
            use.connections = count(at: index * 16)
            use.refused = count(at: index * 16 + 8)
            return use
        }
    }
}
