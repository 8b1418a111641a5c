// SPDX-License-Identifier: Apache-2.0
import Evidence
package import Wire

/// Whom a server of the world serves, as far as an address tells: what is limited for each client is limited for all of its
/// addresses together.
package enum ServedClient: Hashable, Sendable {
    case place(ClientSlot)
    /// Somebody who is in no place, such as a neighbour on loopback.
    case other(IPAddress)

    package init(_ address: IPAddress) {
        self = ClientSlot(having: address).map(Self.place) ?? .other(address)
    }
}

extension ClientSlot {
    /// The place that has this address: on one of the networks, or behind its NAT64. Whether its prefix is that of the clients' link is not known
    /// here: a host that has the interface identifier of a client counts as that client's.
    package init?(having address: IPAddress) {
        let number: Int
        switch address {
        case .ipv6(let address):
            if let place = ClientSlot(havingDevice: address) {
                self = place
                return
            }
            number = Int(truncatingIfNeeded: address.bits >> 16 & 0xffff)
        case .ipv4(let address):
            guard let address = ClientLink.standard(address) else { return nil }
            // The ranges begin one after the other, and the place is in the last that begins before it.
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
