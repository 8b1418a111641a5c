// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology
package import Wire

/// One way to have a program go to a canary, or to a public host, on a network where that way leads somewhere.
package struct CanarySpelling: Hashable, Sendable {
    /// `wkp-hex.metadata`
    package var name: String
    package var url: String
    /// Of the request with which a program ends up at the canary; on its network no other has it.
    package var path: String
    package var network: Network
    /// What is special about it, and where that is specified.
    package var manner: String
    /// Where a client goes that does not see what the address is, if no canary can answer there.
    package var deadEnd: IPAddress?
    /// What is to answer, if the URL is of a public host: `public.canary.example.com tcp/80`. `nil` of a canary.
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
