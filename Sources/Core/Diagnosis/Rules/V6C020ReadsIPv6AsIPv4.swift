// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// inet_addr returns INADDR_NONE, which is 255.255.255.255, for text that it cannot read. A program that does not check connects to
    /// that.
    package static let readsIPv6AsIPv4 = Rule(
        id: "V6C-020", title: "reads an IPv6 address with a function that knows IPv4 only",
        severityIfPassing: .warning,
        advice:
            "Keep what getaddrinfo returns as a socket address; read text with inet_pton for the family that it has, and write it with "
            + "getnameinfo.",
        networks: .ipv6Only, clients: .all, supersedes: ["V6C-003", "V6C-035", "V6C-040"]
    ) { examination in
        let first = examination.run.misreadings
        let misreadings = first.isEmpty ? examination.again?.misreadings ?? [] : first
        let read = misreadings.compactMap { lookup -> Observation? in
            guard let address = lookup.node.flatMap({ IPv6Address($0) }) else { return nil }
            let reading: Statement =
                lookup.call == .inetPton
                ? "inet_pton(AF_INET, \"\(address)\"), and read it in no other way"
                : "\(lookup.call)(\"\(address)\"), which knows IPv4 only"
            return Observation(
                "\(lookup.site) called \(reading).", at: lookup.site, about: .address(.ipv6(address)))
        }
        if examination.run.end.isSuccess {
            return examination.withLoss(read.first { $0.site?.line != nil } ?? read.first)
        }
        let broadcast = examination.traced.attempts.compactMap { call -> Observation? in
            // A program that sends datagrams there may mean a broadcast.
            guard call.name == .connect && !call.isOfDatagrams || !read.isEmpty, call.ipv4?.bits == .max,
                call.error != nil
            else { return nil }
            let (statement, site) = examination.told(call)
            return Observation("\(statement): this is what inet_addr gives for what it cannot read.", at: site)
        }
        // Many programs try first whether a text is an IPv4 address: that ends none which then goes to one.
        let isSure =
            misreadings.isEmpty || misreadings.contains { $0.call != .inetPton }
            || !examination.traced.attempts.contains(where: \.isUnreachable)
        // The address may come from the command line: then the client fails on dual-stack, too.
        guard isSure, examination.gotThroughOnDualStack || !read.isEmpty && !broadcast.isEmpty else { return [] }
        return (read + broadcast).unique
    }
}
