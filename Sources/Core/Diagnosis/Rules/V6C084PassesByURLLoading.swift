// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// Foundation connected to an address that URL loading made of a literal in a URL: URLSession and CFNetwork do so on Apple's systems,
    /// and here the preloaded library does it for them (--url-loading apple). Any other use of the address by the client fails there, too.
    package static let passesByURLLoading = Rule(
        id: "V6C-084", title: "passes by URL loading's synthesis", severity: .warning,
        advice:
            "Use a host name instead of the IPv4 address in the URL. A program that never runs on Apple's systems is judged "
            + "without --url-loading.",
        networks: [.nat64], clients: .passing, needs: [.queries]
    ) { examination in
        examination.owedToSynthesis { $0.call == .connect }
    }
}
