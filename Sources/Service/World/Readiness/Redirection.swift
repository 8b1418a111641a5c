// SPDX-License-Identifier: Apache-2.0
import Suites
import Wire

/// The host to which a redirect leads (RFC 3986 §3.2).
enum Redirection {
    /// Why a client cannot follow a redirect; `nil` if it can, as far as the text shows.
    /// - Parameters:
    ///   - location: the header's value (RFC 9110 §10.2.2).
    ///   - asked: the Host of the request: its address is one that the client has a way to.
    static func obstacle(to location: String, asked: String) -> ProbeAnswer.Obstacle? {
        guard let start = location.firstRange(of: "//"),
            location[..<start.lowerBound].allSatisfy({ !"/?#".contains($0) })
        else { return nil }
        let authority = location[start.upperBound...].prefix { !"/?#".contains($0) }
        guard let host = host(of: authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "") else {
            return .noURL
        }
        guard let address = host.address, address != Redirection.host(of: asked[...])?.address else { return nil }
        switch address {
        case .ipv4(let address): return address.bits >> 24 == 127 ? .ownMachine : .ipv4
        case .ipv6(let address): return address.bits == 1 ? .ownMachine : nil
        }
    }

    private enum Host {
        case name
        case address(IPAddress)

        var address: IPAddress? { if case .address(let address) = self { address } else { nil } }
    }

    /// `nil` if it is no host, with or without a port. An IPv4-mapped address is the IPv4 address.
    private static func host(of authority: Substring) -> Host? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]"), let address = IPv6Address(authority.dropFirst()[..<end])
            else {
                return nil
            }
            let rest = authority[end...].dropFirst()
            guard rest.isEmpty || rest.first == ":" else { return nil }
            return .address(address.mapped.map { .ipv4($0) } ?? .ipv6(address))
        }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, !(parts.last?.contains(":") ?? false), !host.contains("[") else { return nil }
        return IPv4Address(host).map { .address(.ipv4($0)) } ?? .name
    }
}
