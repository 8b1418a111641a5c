// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension ProxySetting {
    /// Whether `no_proxy` names a host: by its name, a parent domain, its address or a network that contains that address.
    func excepts(_ host: String) -> Bool {
        let host = host.lowercased()
        return exceptions.contains { matches($0.lowercased(), host) }
    }

    private func matches(_ entry: String, _ host: String) -> Bool {
        if entry == "*" { return true }
        let bare = bareHost(entry)
        guard let address = IPAddress(host) else {
            let domain = bare.hasPrefix("*.") ? bare.dropFirst(2) : bare.hasPrefix(".") ? bare.dropFirst() : bare[...]
            return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
        }
        switch address {
        case .ipv4(let ipv4): return IPv4Prefix(bare)?.contains(ipv4) ?? false
        case .ipv6(let ipv6): return IPv6Prefix(bare)?.contains(ipv6) ?? false
        }
    }

    /// Whether a call goes to the proxy.
    /// - Parameter addresses: returns the addresses that the DNS gave for a name.
    func isTarget(of call: TracedCall, addresses: (String) -> [IPAddress]) -> Bool {
        guard let host, let ip = call.address?.ip, port == nil || port == call.address?.port else { return false }
        if let literal = IPAddress(host) { return literal == ip || call.ipv4.map(IPAddress.ipv4) == literal }
        return addresses(host).contains(ip)
    }
}

/// An entry without brackets and port.
private func bareHost(_ entry: String) -> String {
    if entry.contains("/") { return entry.filter { $0 != "[" && $0 != "]" } }
    return HostAndPort(ofURL: entry)?.host ?? entry
}
