// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import NAT64
package import Router
import Translation
import Wire

// The router of `nat64sim translate`: a translator only, between an IPv6 link and an IPv4 link.

extension RouterConfiguration {
    package init(_ configuration: TranslatorConfiguration) {
        let nat64 = configuration.nat64
        switch configuration.mode {
        case .stateful:
            self.init(.stateful(nat64), errors: nat64.errors)
        case .stateless:
            self.init(.stateless(StatelessAddresses(configuration), nat64.translation), errors: nat64.errors)
        }
        hasOneFamilyPerLink = true
        answersPings = true
        faults = configuration.faults
        seed = configuration.seed ?? 0
    }
}

extension Router {
    /// Applies another configuration: mappings, prefix, addresses for errors, options and faults. The counters stay.
    /// A stateless translator loses nothing by that; a stateful NAT64 would lose its sessions, and refuses.
    mutating func reload(_ configuration: TranslatorConfiguration, at time: Instant) throws(TranslatorError) {
        guard configuration.mode == .stateless, isStateful == false else {
            throw TranslatorError(
                isStateful == false
                    ? "mode cannot become stateful while the translation runs; start it anew"
                    : "a stateful NAT64 keeps its configuration, for the sake of its sessions; start it anew")
        }
        let nat64 = configuration.nat64
        change(
            to: StatelessAddresses(configuration), nat64.translation, nat64.errors, configuration.faults, now: time)
    }

    /// The counters and drops so far.
    var summary: TranslatorSummary { TranslatorSummary(counters: counters, drops: drops) }
}

extension StatelessAddresses {
    fileprivate init(_ configuration: TranslatorConfiguration) {
        let nat64 = configuration.nat64
        var errorSources = nat64.errors.borrowedSources
        errorSources.ipv4Pool = configuration.errorSources
        self.init(
            mappings: configuration.mappings, prefix: nat64.prefixes.first, exemptIPv4: nat64.exemptIPv4,
            errorSources: errorSources)
    }
}

extension Link {
    /// IPv6 packets come from the client's side, IPv4 packets from the world's.
    init(_ side: Side) { self = side == .ipv6 ? .client : .world }

    var side: Side { self == .client ? .ipv6 : .ipv4 }
}
