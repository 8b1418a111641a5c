public import Findings
public import Sandbox
import Wire

extension Network {
    /// The client's side of its link on this network.
    public var clientNetwork: ClientNetwork {
        ClientNetwork(
            mtu: NetworkPlan.mtu,
            ipv4: ipv4Client.map {
                ClientNetwork.IPv4(
                    address: $0, prefixLength: NetworkPlan.ipv4Link.length, gateway: NetworkPlan.ipv4Router)
            },
            ipv6: ClientNetwork.IPv6(
                address: ipv6Client, prefixLength: NetworkPlan.clientLink.length, gateway: NetworkPlan.router))
    }

    var ipv6Client: IPv6Address {
        switch self {
        case .nat64: NetworkPlan.client
        case .dualStack: NetworkPlan.dualStackClient
        }
    }

    var ipv4Client: IPv4Address? {
        switch self {
        case .nat64: nil
        case .dualStack: NetworkPlan.ipv4Client
        }
    }
}
