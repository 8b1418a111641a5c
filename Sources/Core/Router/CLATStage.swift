// SPDX-License-Identifier: Apache-2.0
import NAT64
import Topology
import Translation
import Wire

/// The client's side of 464XLAT (RFC 6877): a stateless translator (RFC 7915) between the client's IPv4 and the NAT64. The client's one
/// IPv4 address has an IPv6 address of its own; all other addresses are under the NAT64's Pref64.
///
/// It checks no destination: the NAT64 behind it does, and its ICMPv6 errors return through the CLAT.
///
/// A class, as the router passes it the packets from the client, and the router's links those to the client.
final class CLATStage {
    let addresses: CLATAddresses
    /// Sends errors from the CLAT's own addresses, with a limit of its own, as another router would.
    let errors: ErrorOrigin
    let responder: EchoResponder
    private var translator: StatelessTranslator
    /// Buffer for one piece of a packet of the client that is too large.
    var piece = PacketBuffer()

    /// - Parameter nat64: the NAT64 behind it, whose options and limits for errors apply to the CLAT, too.
    init(_ addresses: CLATAddresses, _ nat64: NAT64Configuration, seed: UInt64, now: Instant) {
        self.addresses = addresses
        var policy = nat64.errors
        policy.ipv4Source = addresses.router
        errors = ErrorOrigin(policy, seed: seed, now: now)
        responder = EchoResponder(policy)
        var options = nat64.translation
        // Both of its sides are the client's link.
        options.ipv4MTU = options.ipv6MTU
        translator = StatelessTranslator(Self.stateless(addresses, nat64.prefixes), options: options, seed: ~seed)
    }

    /// Follows the NAT64 to other prefixes, as a CLAT that discovers them does (RFC 7050).
    func change(to prefixes: [Pref64]) { translator.addresses = Self.stateless(addresses, prefixes) }

    /// Translates a packet from the client; `.translated` is an IPv6 packet to the NAT64.
    func translate(_ packet: inout PacketBuffer, _ layout: IPv4Layout) -> TranslationOutcome {
        // RFC 3927 §7: never forwarded. The source gets the error that the NAT64 would send.
        if layout.destination.isLinkLocal {
            return .dropped(.nonGlobalIPv4, answer: .ipv4(.communicationAdministrativelyProhibited))
        }
        return translator.translate(&packet, layout)
    }

    /// Translates a packet from the NAT64 to the IPv6 address of the client's IPv4 address.
    func translate(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> TranslationOutcome {
        translator.translate(&packet, layout)
    }

    private static func stateless(_ addresses: CLATAddresses, _ prefixes: [Pref64]) -> StatelessAddresses {
        guard
            let mapping = ExplicitAddressMapping(
                IPv4Prefix(addresses.client, length: 32)!, IPv6Prefix(addresses.source, length: 128)!),
            let table = try? ExplicitAddressMappingTable([mapping])
        else { preconditionFailure("one address for one address is a mapping") }
        return StatelessAddresses(
            mappings: table, prefix: prefixes.first, exemptIPv4: [IPv4Prefix(IPv4Address(bits: 0), length: 0)!],
            errorSources: ErrorSources(ipv4: addresses.router, ipv6: addresses.source))
    }
}

extension CLATStage {
    /// `nil` if the client has no CLAT.
    convenience init?(_ configuration: RouterConfiguration, now: Instant) {
        guard let addresses = configuration.clat, case .stateful(let nat64) = configuration.translation else {
            return nil
        }
        self.init(addresses, nat64, seed: configuration.seed, now: now)
    }
}
