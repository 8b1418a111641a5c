// SPDX-License-Identifier: Apache-2.0
import NAT64
import Topology
import Translation
import Wire

/// The client's side of 464XLAT (RFC 6877): a stateless translator (RFC 7915) between the client's IPv4 and the NAT64. The client's
/// one IPv4 address has an IPv6 address of its own, and everybody else is under the NAT64's Pref64.
///
/// It judges no destination: the NAT64 behind it does, and its ICMPv6 errors come back through here.
///
/// An object, because what comes from the client meets it in the router, and what goes to the client in the router's links.
final class CLATStage {
    let addresses: CLATAddresses
    /// From the CLAT's own addresses, and with a limit of its own, as of another router.
    let errors: ErrorOrigin
    let responder: EchoResponder
    private var translator: StatelessTranslator
    /// For one piece of a packet of the client's that is too large.
    var piece = PacketBuffer()

    /// - Parameter nat64: the NAT64 behind it, whose options and limits for errors it has, too.
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

    /// Follows the NAT64 to other prefixes, as one that discovers them does (RFC 7050).
    func change(to prefixes: [Pref64]) { translator.addresses = Self.stateless(addresses, prefixes) }

    /// What came from the client; `.translated` is an IPv6 packet to the NAT64.
    func translate(_ packet: inout PacketBuffer, _ layout: IPv4Layout) -> TranslationOutcome {
        // RFC 3927 §7: never forwarded. Its source is told what the NAT64 would tell it.
        if layout.destination.isLinkLocal {
            return .dropped(.nonGlobalIPv4, answer: .ipv4(.communicationAdministrativelyProhibited))
        }
        return translator.translate(&packet, layout)
    }

    /// What came from the NAT64 to the address that stands for the client's.
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
    /// `nil` if the client has none.
    convenience init?(_ configuration: RouterConfiguration, now: Instant) {
        guard let addresses = configuration.clat, case .stateful(let nat64) = configuration.translation else {
            return nil
        }
        self.init(addresses, nat64, seed: configuration.seed, now: now)
    }
}
