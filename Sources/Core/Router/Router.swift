// SPDX-License-Identifier: Apache-2.0
package import NAT64
import Randomness
import Translation
package import Wire

/// A router between two links: it forwards, or translates, or both.
///
/// Theory of operation. `receive` takes one packet from one link and examines it once. What it found goes from stage to stage with
/// the packet: capture, the check of its source where clients are known, flows and faults (`RouterLinks`), then the translator that
/// there is, or forwarding. Where there is a CLAT, it stands between the client's link and the NAT64: for all stages behind it, a
/// packet of its is an IPv6 packet. A packet ends in exactly one way: it
/// is sent (as one packet or several), it is stored by the NAT64 until more is known, or it is dropped for one reason.
///
/// It does no I/O and keeps no time: packets leave through `output`, and time is what the caller says it is. It does not go
/// back. One task at a time may use it.
package struct Router: ~Copyable {
    /// At most one of the two.
    var nat64: NAT64?
    var stateless: StatelessStage?
    var forwarding: Forwarding?
    var responder: EchoResponder?
    /// `nil` if it does not advertise itself.
    var advertising: AdvertisingStage?
    /// `nil` where the client's link has no neighbours.
    var neighbours: NeighbourStage?
    let links: RouterLinks
    /// One for all stages, and so one limit.
    let errors: ErrorOrigin
    let hasOneFamilyPerLink: Bool
    /// For a packet of our own, or for a part of the one that has come.
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

    /// The earliest time at which something may expire, or is due that waits; `.distantFuture` when nothing will.
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

    /// Lets go what waits to be joined. To be called whenever no more packets are at hand, where datagrams are joined.
    package mutating func flush() { links.flush() }

    /// Lets everything expire whose time is over at `time`, and go what has waited for it.
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
