// SPDX-License-Identifier: Apache-2.0
package import NAT64
import Randomness
import Translation
package import Wire

/// A router between two links: it forwards, or translates, or both.
///
/// Theory of operation. `receive` takes one packet from one link and examines it once. The result passes from stage to stage with the
/// packet: capture, the check of its source if clients are known, flows and faults (`RouterLinks`), then the translator, if there is one,
/// or forwarding. A CLAT is between the client's link and the NAT64: for all stages behind it, packets from the CLAT are IPv6. A packet
/// ends in exactly one way: it is sent (as one packet or several), it is stored by the NAT64 until more is known, or it is dropped for one
/// reason.
///
/// It does no I/O and has no clock: packets leave through `output`, and the caller passes the time, which never goes back. Only one task at
/// a time may use it.
package struct Router: ~Copyable {
    /// At most one of the two.
    var nat64: NAT64?
    var stateless: StatelessStage?
    var forwarding: Forwarding?
    var responder: EchoResponder?
    /// `nil` if it does not advertise itself.
    var advertising: AdvertisingStage?
    /// `nil` if the client's link has no neighbours.
    var neighbours: NeighbourStage?
    let links: RouterLinks
    /// Shared by all stages, and so is its limit.
    let errors: ErrorOrigin
    let hasOneFamilyPerLink: Bool
    /// Buffer for a packet of the router's own, or for a part of the received one.
    var scratch = PacketBuffer()

    package init(
        _ configuration: RouterConfiguration, now: Instant, output: any RouterOutput, tap: (any PacketTap)? = nil
    ) throws(ConfigurationError) {
        links = RouterLinks(configuration, now: now, output: output, tap: tap)
        forwarding = configuration.forwarding
        hasOneFamilyPerLink = configuration.hasOneFamilyPerLink
        if configuration.answersPings { responder = EchoResponder(configuration.errors) }
        switch configuration.translation {
        case .none:
            errors = ErrorOrigin(configuration.errors, seed: configuration.seed, now: now)
        case .stateful(let translation):
            errors = ErrorOrigin(configuration.errors, seed: ~configuration.seed, now: now)
            try translate(by: translation, seed: configuration.seed, now: now)
        case .stateless(let addresses, let options):
            var random = SeededRandom(seed: configuration.seed)
            let translator = StatelessTranslator(addresses, options: options, seed: random.next())
            errors = ErrorOrigin(configuration.errors, seed: random.next(), now: now)
            links.identifications = translator.translator.identifications
            stateless = StatelessStage(translator, answersErrors: configuration.errors.isEnabled, errors: errors)
        }
        links.prefixes = configuration.translatedPrefixes
        advertising = AdvertisingStage(configuration, now: now)
        neighbours = NeighbourStage(configuration)
    }

    /// The earliest time at which an entry may expire or a waiting packet is due; `.distantFuture` if there is none.
    package var nextDeadline: Instant {
        var next = min(
            links.conditioner?.nextDeadline ?? .distantFuture, links.paths?.nextDeadline ?? .distantFuture)
        switch nat64 {
        case .some(let nat64): next = min(next, nat64.nextDeadline)
        case nil: break
        }
        switch advertising {
        case .some(let advertising): next = min(next, advertising.nextDeadline)
        case nil: break
        }
        return next
    }

    /// Sends the packets that wait to be joined. To be called whenever no more packets are at hand, if datagrams are joined.
    package mutating func flush() { links.flush() }

    /// Removes all entries that have expired at `time`, and sends the packets that are due.
    package mutating func advance(to time: Instant) {
        links.now = time
        if let conditioner = links.conditioner {
            releaseDown(conditioner, at: time)
            links.releaseUp(conditioner)
        }
        advertising?.send(at: time) { links.send(&$0, to: .client) }
        nat64?.expire(at: time, output: links)
        if let paths = links.paths { settle(paths, at: time) }
    }
}

extension RouterConfiguration {
    var translatedPrefixes: [Pref64] {
        if case .stateful(let nat64) = translation { nat64.prefixes } else { [] }
    }

    var translates: Bool {
        if case .none = translation { false } else { true }
    }
}
