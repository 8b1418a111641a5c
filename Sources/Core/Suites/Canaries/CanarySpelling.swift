// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology
package import Wire

/// A way to lead a program to a canary, or to a public host, on a network on which it works.
package struct CanarySpelling: Hashable, Sendable {
    /// `wkp-hex.metadata`
    package var name: String
    package var url: String
    /// The path of the request by which a program reaches the canary, unique on its network.
    package var path: String
    package var network: Network
    /// Its special feature, and the specification of that.
    package var manner: String
    /// The address that a client connects to if it does not recognise the embedded address, and at which no canary can answer.
    package var deadEnd: IPAddress?
    /// The host and port that must answer, if the URL is of a public host: `public.canary.example.com tcp/80`. `nil` for a canary.
    package var publicHost: String?
    /// Whether the client has a proxy.
    package var isProxied = false

    init(
        _ name: String, _ host: String, path: String? = nil, on network: Network, _ manner: String,
        deadEnd: IPv6Address? = nil
    ) {
        self.name = name
        self.path = path ?? "/\(name)"
        url = "http://\(host)\(self.path)"
        self.network = network
        self.manner = manner
        self.deadEnd = deadEnd.map { .ipv6($0) }
    }
}
