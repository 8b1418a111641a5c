// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// inet_addr returns INADDR_NONE, which is 255.255.255.255, for text that it cannot read. A program that does not check connects to
    /// that.
    package static let readsIPv6AsIPv4 = Rule(
        id: "V6C-020", title: "reads an IPv6 address with a function that knows IPv4 only",
        advice:
            "Keep what getaddrinfo returns as a socket address; read text with inet_pton, and write it with getnameinfo.",
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-035", "V6C-040"]
    ) { examination in
        let read = examination.lookups.compactMap { lookup -> Observation? in
            guard lookup.call == .inetAddr || lookup.call == .inetAton, lookup.result == 0,
                let address = lookup.node.flatMap({ IPv6Address($0) })
            else { return nil }
            return Observation(
                "\(lookup.site) called \(lookup.call)(\"\(address)\"), which knows IPv4 only.", at: lookup.site,
                about: .address(.ipv6(address)))
        }
        let broadcast = examination.traced.attempts.compactMap { call -> Observation? in
            // A program that sends datagrams there may mean a broadcast.
            guard call.name == .connect && !call.isOfDatagrams || !read.isEmpty, call.ipv4?.bits == .max,
                call.error != nil
            else { return nil }
            let (statement, site) = examination.told(call)
            return Observation("\(statement): this is what inet_addr gives for what it cannot read.", at: site)
        }
        // The address may come from the command line: then the client fails on dual-stack, too.
        guard examination.gotThroughOnDualStack || !read.isEmpty && !broadcast.isEmpty else { return [] }
        return (read + broadcast).unique
    }
}
