// SPDX-License-Identifier: Apache-2.0
internal import Glibc
import Router
internal import Wire

/// The IPv4 addresses of names, as every program on the host gets them: from the hosts file, container DNS, and the other sources of the
/// name service switch.
enum HostNames {
    /// Maximum number of addresses per name.
    static let maximumAddresses = 64

    /// Empty if the name has no address, or the look-up fails. Blocks for as long as the host's resolver takes.
    static func addresses(of name: String) -> [IPv4Address] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_INET
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPv4Address] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < maximumAddresses {
            if let address = unsafe entry.pointee.ai_addr {
                let raw = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
                addresses.append(IPv4Address(bits: UInt32(bigEndian: raw.sin_addr.s_addr)))
            }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }
}

/// The prefixes and names of a configuration's exceptions.
struct AllowList: Sendable {
    private let prefixes: [IPv4Prefix]
    private let names: [String]
    /// The last known addresses of each name. They are kept if the resolver fails for a while.
    private var known: [String: [IPv4Address]] = [:]

    init(_ exceptions: [AllowedEntry]) {
        let exceptions = exceptions.prefix(UplinkConfiguration.maximumEntries)
        prefixes = exceptions.compactMap { if case .prefix(let prefix) = $0 { prefix } else { nil } }
        names = exceptions.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// Names without an address so far.
    var unresolved: [String] { names.filter { known[$0] == nil } }

    mutating func resolve(with addresses: (String) -> [IPv4Address] = HostNames.addresses) {
        for name in names {
            let found = addresses(name)
            if !found.isEmpty { known[name] = found.sorted() }
        }
    }

    /// In the order of the configuration, names last.
    var all: [IPv4Prefix] {
        prefixes + names.flatMap { known[$0] ?? [] }.compactMap { IPv4Prefix($0, length: 32) }
    }
}
