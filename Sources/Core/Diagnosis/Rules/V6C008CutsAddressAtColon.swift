import Evidence
import Wire

extension Rule {
    /// A program that takes `host:port` apart at the first colon asks for the first group of an IPv6 address. Who takes an IPv6
    /// address for something else does not use it either (V6C-003).
    package static let cutsAddressAtColon = Rule(
        id: "V6C-008", title: "splits host:port at the first colon, truncating an IPv6 address",
        advice:
            "Keep address and port apart; as one text write [address]:port, and split at the last colon (RFC 3986 §3.2.2).",
        networks: [.nat64], supersedes: ["V6C-003"]
    ) { examination in
        let run = examination.run
        let addresses = (run.seen.questions.flatMap(\.addresses) + run.lookups.flatMap(\.answers)).unique
        return run.lookups.compactMap { lookup in
            guard let node = lookup.node, (1...4).contains(node.utf8.count), node.allSatisfy(\.isHexDigit),
                let address = addresses.first(where: { $0.description.hasPrefix(node + ":") })
            else { return nil }
            return Observation(
                "\(lookup.site) asked for \"\(text: node)\", which is how \(address) begins.", at: lookup.site,
                about: .address(address))
        }
    }
}
