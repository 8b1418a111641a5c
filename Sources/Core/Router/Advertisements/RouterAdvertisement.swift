// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Topology
import Translation
import Wire

/// Router Advertisement messages (RFC 4861 §4.2):
///
///      0               8               16                              31
///     +---------------+---------------+-------------------------------+
///  0  | Type = 134    | Code = 0      | Checksum                      |
///     +---------------+---------------+-------------------------------+
///  4  | Cur Hop Limit |M|O|           | Router Lifetime               |
///     +---------------+---------------+-------------------------------+
///  8  | Reachable Time                                                |
///     +---------------------------------------------------------------+
/// 12  | Retrans Timer                                                 |
///     +---------------------------------------------------------------+
/// 16  | Options …
///
/// Options that do not fit into one packet of the link are sent in further messages (§6.2.3).
struct RouterAdvertisement {
    let link: AdvertisedLink
    /// The prefixes to advertise, each with its lifetime in seconds.
    let prefixes: [(prefix: Pref64, lifetime: Int)]
    /// Prefixes that hosts are no longer to use.
    let formerPrefixes: [IPv6Prefix]
    /// Whether hosts are to use this router.
    let isRouter: Bool

    /// The hop limit for the hosts (RFC 4861 §6.2.1: the value recommended by IANA).
    private static let hopLimit: UInt8 = 64
    /// AdvValidLifetime and AdvPreferredLifetime (RFC 4861 §6.2.1): 30 and 7 days, in seconds.
    private static let validLifetime: UInt32 = 2_592_000
    private static let preferredLifetime: UInt32 = 604_800

    private enum Flag {
        static let managed: UInt8 = 0x80
        static let otherConfiguration: UInt8 = 0x40
        static let onLink: UInt8 = 0x80
        static let autonomous: UInt8 = 0x40
    }

    private typealias Option = NeighbourMessage.Option

    /// The ICMPv6 messages, each small enough for the link, with no checksum yet.
    var messages: [[UInt8]] {
        let room = max(link.mtu, IPv6Header.minimumMTU) - IPv6Header.length
        var messages = [header]
        for option in options {
            if messages[messages.count - 1].count + option.count > room { messages.append(header) }
            messages[messages.count - 1] += option
        }
        return messages
    }

    private var header: [UInt8] {
        let said = link.advertisement
        let flags =
            (said.isManaged ? Flag.managed : 0) | (said.hasOtherConfiguration ? Flag.otherConfiguration : 0)
        // Checksum ← 0; Reachable Time and Retrans Timer ← unspecified
        return [ICMPv6Type.routerAdvertisement, 0, 0, 0, Self.hopLimit, flags]
            + octets(UInt16(clamping: isRouter ? said.routerLifetime : 0)) + [UInt8](repeating: 0, count: 8)
    }

    private var options: [[UInt8]] {
        let said = link.advertisement
        // The resolvers' lifetime is that of the router itself (RFC 8106 §5.1), unless it is not a default router.
        let lifetime = octets(
            UInt32(said.routerLifetime == 0 ? Advertisement.usualLifetime : said.routerLifetime))
        var options = [option(Option.mtu, [0, 0] + octets(UInt32(clamping: link.mtu)))]
        if let ethernet = link.ethernet { options.append(option(Option.sourceLinkLayerAddress, ethernet.octets)) }
        if isRouter { options.append(information(link.prefix, Self.validLifetime, Self.preferredLifetime)) }
        options += formerPrefixes.map { information($0, 0, 0) }
        if said.namesResolvers, isRouter, !link.resolvers.isEmpty {
            options.append(option(Option.recursiveServers, [0, 0] + lifetime + link.resolvers.flatMap(octets)))
        }
        if !said.searchDomains.isEmpty {
            options.append(option(Option.searchList, [0, 0] + lifetime + said.searchDomains.flatMap(\.wire)))
        }
        return options + prefixes.map { Pref64Option($0.prefix, lifetime: UInt32(clamping: $0.lifetime)).octets }
    }

    private func information(_ prefix: IPv6Prefix, _ valid: UInt32, _ preferred: UInt32) -> [UInt8] {
        let flags = Flag.autonomous | (link.ethernet == nil ? Flag.onLink : 0)
        return option(
            Option.prefixInformation,
            [UInt8(prefix.length), flags] + octets(valid) + octets(preferred) + octets(0 as UInt32)
                + octets(prefix.address))
    }

    private func option(_ type: UInt8, _ contents: [UInt8]) -> [UInt8] { Option.octets(type, contents) }

    private func octets(_ number: some FixedWidthInteger) -> [UInt8] { NeighbourMessage.octets(number) }

    private func octets(_ address: IPv6Address) -> [UInt8] { octets(address.bits) }
}
