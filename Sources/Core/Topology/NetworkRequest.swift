// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The requested properties of a client's network that hold for each network that it runs on: its link, the path to the world, the NAT64,
/// and what the client finds on its own machine.
///
/// Command line, suite file and the order for a run process have it as the same value.
package struct NetworkRequest: Codable, Hashable, Sendable {
    /// The getaddrinfo that the client finds.
    package var getaddrinfo = GetaddrinfoProfile.linux
    /// The URL loading that it finds, if it uses Foundation.
    package var urlLoading = URLLoading.linux
    /// Conditions of the path to the world, in the form of `--conditions`.
    package var conditions: [String] = []
    /// How it gets its IPv6 address; `nil` means that it has it when it starts.
    package var link: LinkSetup?
    /// The addresses of its link; `nil` is the standard ones, or the daemon's.
    package var clientLink: ClientLink?
    /// The name of its interface; `nil` is the usual one.
    package var interface: InterfaceName?
    /// Ports of the machine that it finds at its own loopback addresses.
    package var hostPorts: [HostPort] = []
    /// The proxy variables in its environment.
    package var proxies = ProxyVariables.world
    /// Whether it, a test runner, may take results from its cache.
    package var caches = TestCaches.avoid
    /// How the NAT64 differs from the RFCs' defaults, in the form of `--nat64`.
    package var nat64: [String] = []

    package init() {}

    /// The part of it that a daemon is asked for.
    package var wishes: LinkWishes { LinkWishes(conditions: conditions, setup: link?.description) }
}
