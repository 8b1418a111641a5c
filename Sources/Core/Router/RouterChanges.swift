// SPDX-License-Identifier: Apache-2.0
package import Topology
package import NAT64
package import Translation
package import Wire

// What may change while a router works.

extension Router {
    /// Has another NAT64 from the next packet on, without sessions.
    mutating func translate(
        by configuration: NAT64Configuration, seed: UInt64, now: Instant
    ) throws(ConfigurationError) {
        let translator = try NAT64(configuration, seed: seed, now: now, errors: errors)
        links.identifications = translator.identifications
        nat64 = consume translator
    }

    /// Translates by another prefix from the next packet on, where it translates. Sessions end: their hosts' addresses of the far side are
    /// no more.
    package mutating func change(
        to configuration: NAT64Configuration, seed: UInt64, now: Instant
    ) throws(ConfigurationError) {
        if nat64 == nil { return }
        try translate(by: configuration, seed: seed, now: now)
        links.prefixes = configuration.prefixes
        links.clat?.change(to: configuration.prefixes)
        advertising?.change(to: configuration.prefixes, at: now)
    }

    /// Its NAT64 forgets all sessions.
    /// - Returns: how many there were.
    package mutating func forgetSessions() -> Int {
        let count = tableCounts.sessions
        nat64?.forgetSessions()
        return count
    }

    /// Its client has another network from the next packet on, or none. Sessions end; faults and what was seen stay. Only for a router
    /// that forwards, between networks whose translation keeps state, or that have none.
    package mutating func move(to configuration: RouterConfiguration, now: Instant) throws(ConfigurationError) {
        switch configuration.translation {
        case .none:
            nat64 = nil
            links.identifications = nil
        case .stateful(let translation):
            try translate(by: translation, seed: configuration.seed, now: now)
        case .stateless: preconditionFailure("a client's network has no translation without state")
        }
        let destinations = forwarding?.reach.destinations
        forwarding = configuration.forwarding
        if let destinations { forwarding?.reach.destinations = destinations }
        links.now = now
        links.change(to: configuration)
        let hasNeighbours =
            switch advertising {
            case .some(let stage): stage.hasNeighbours
            case nil: false
            }
        if hasNeighbours {
            advertising?.move(to: configuration.advertisedLink, configuration.translatedPrefixes, at: now)
        } else {
            advertising = AdvertisingStage(configuration, now: now)
        }
    }

    /// Goes on with other mappings, prefix, addresses for errors, options and faults. What was counted stays, and so do
    /// identifications; there is no state that could be lost. Only for a router whose translation has none.
    package mutating func change(
        to addresses: StatelessAddresses, _ options: TranslationOptions, _ policy: ErrorPolicy, _ faults: LinkFaults,
        now: Instant
    ) {
        precondition(stateless != nil, "a translator with state would lose it")
        stateless?.translator.addresses = addresses
        stateless?.translator.translator.options = options
        stateless?.answersErrors = policy.isEnabled
        errors.change(to: policy, now: now)
        if responder != nil { responder = EchoResponder(policy) }
        links.faults = faults
    }

    /// Whom clients can reach beyond the world's hosts, from the next packet on.
    package mutating func change(to destinations: AllowedDestinations) {
        forwarding?.reach.destinations = destinations
    }
}
