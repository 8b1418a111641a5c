import Evidence

extension Rule {
    /// A program that takes `host:port` apart at the first colon asks for the first group of an IPv6 address.
    package static let cutsAddressAtColon = Rule(
        id: "V6C-008", title: "cuts an IPv6 address at a colon",
        advice:
            "Keep address and port apart; as one text write [address]:port, and split at the last colon (RFC 3986 §3.2.2).",
        networks: [.nat64]
    ) { examination in
        let run = examination.run
        let addresses = unique(
            (run.questions.flatMap(\.answers) + run.lookups.flatMap(\.answers)).filter { $0.contains(":") })
        return run.lookups.compactMap { lookup in
            guard let node = lookup.node, (1...4).contains(node.utf8.count), node.allSatisfy(\.isHexDigit),
                let address = addresses.first(where: { $0.hasPrefix(node + ":") })
            else { return nil }
            return Observation("\(lookup.caller) asked for \"\(node)\", which is how \(address) begins.")
        }
    }
}
