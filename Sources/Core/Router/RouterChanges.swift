// SPDX-License-Identifier: Apache-2.0
package import Topology
package import NAT64
package import Translation
package import Wire

// Changes while a router works.

extension Router {
    /// Replaces the NAT64 from the next packet on. The new one has no sessions.
    mutating func translate(
        by configuration: NAT64Configuration, seed: UInt64, now: Instant
    ) throws(ConfigurationError) {
        let translator = try NAT64(configuration, seed: seed, now: now, errors: errors)
        links.identifications = translator.identifications
        nat64 = consume translator
    }

    /// Translates by another prefix from the next packet on, if it translates at all. Sessions end: their hosts' addresses on the far side
    /// no longer exist.
    package mutating func change(
        to configuration: NAT64Configuration, seed: UInt64, now: Instant
    ) throws(ConfigurationError) {
        if nat64 == nil { return }
        try translate(by: configuration, seed: seed, now: now)
        links.prefixes = configuration.prefixes
        links.clat?.change(to: configuration.prefixes)
        advertising?.change(to: configuration.prefixes, at: now)
    }

    /// Makes the NAT64 forget all sessions.
    /// - Returns: the number of sessions.
    package mutating func forgetSessions() -> Int {
        let count = tableCounts.sessions
        nat64?.forgetSessions()
        return count
    }

    /// Moves the client to another network from the next packet on, or to none. Sessions end; faults and records stay. Only for a router
    /// that forwards, between networks with stateful translation or none.
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

    /// Changes mappings, prefix, addresses for errors, options and faults. Counters and identifications stay; there is no state that could
    /// be lost. Only for a router with stateless translation.
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

    /// Changes the destinations beyond the world's hosts that clients can reach, from the next packet on.
    package mutating func change(to destinations: AllowedDestinations) {
        forwarding?.reach.destinations = destinations
    }
}
