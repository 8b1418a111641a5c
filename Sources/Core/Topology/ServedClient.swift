// SPDX-License-Identifier: Apache-2.0
import Evidence
package import Wire

/// The client of a server of the world, as far as its address shows: a limit for each client applies to all of its addresses together.
package enum ServedClient: Hashable, Sendable {
    case place(ClientSlot)
    /// A client in no place, such as a neighbour on loopback.
    case other(IPAddress)

    package init(_ address: IPAddress) {
        self = ClientSlot(having: address).map(Self.place) ?? .other(address)
    }
}

extension ClientSlot {
    /// The place that has this address: on one of the networks, or behind its NAT64. The prefix of the clients' link is not known here, so
    /// a host with the interface identifier of a client counts as that client.
    package init?(having address: IPAddress) {
        let number: Int
        switch address {
        case .ipv6(let address):
            if let place = ClientSlot(havingDevice: address) {
                self = place
                return
            }
            // Higher bits are the same in all places.
            number = Int(truncatingIfNeeded: address.bits >> 16) & (Self.limit - 1)
        case .ipv4(let address):
            guard let address = ClientLink.standard(address) else { return nil }
            // The ranges follow each other, so the place is in the last one that begins at or before the address.
            let ranges = [NetworkPlan.poolAddress] + Network.allCases.compactMap(\.entry.ipv4)
            guard let first = ranges.filter({ $0.bits <= address.bits }).max(by: { $0.bits < $1.bits }) else {
                return nil
            }
            number = Int(address.bits - first.bits)
        }
        guard (0..<Self.limit).contains(number) else { return nil }
        self.init(number)
        let all = Network.allCases.flatMap(addresses) + [.ipv4(poolAddress)]
        let standard: IPAddress? =
            switch address {
            case .ipv6(let address): .ipv6(link.address(address))
            case .ipv4(let address): ClientLink.standard(address).map(IPAddress.ipv4)
            }
        guard let standard, all.contains(standard) else { return nil }
    }
}
