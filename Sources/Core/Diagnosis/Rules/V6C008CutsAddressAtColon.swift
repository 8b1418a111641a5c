// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A program that splits `host:port` at the first colon asks for the first group of an IPv6 address. A program that misreads an IPv6
    /// address does not use it either (V6C-003).
    package static let cutsAddressAtColon = Rule(
        id: "V6C-008", title: "splits host:port at the first colon, truncating an IPv6 address",
        advice:
            "Keep address and port apart; as one text write [address]:port, and split at the last colon (RFC 3986 §3.2.2).",
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-044", "V6C-091"]
    ) { examination in
        let run = examination.run
        let addresses =
            (run.seen.questions.flatMap(\.addresses) + examination.lookups.flatMap(\.answers)
            + examination.traced.given.map { .ipv6($0.address) }).unique
        return examination.lookups.compactMap { lookup in
            guard let node = lookup.node, let address = addresses.first(where: { isBeginning(node, of: $0) })
            else { return nil }
            return Observation(
                "\(lookup.site) asked for \"\(text: node)\", which is how \(address) begins.", at: lookup.site,
                about: .address(address))
        }
    }
}

/// Whether a text is the part before one of the address's colons, with the bracket of a URL or without: `64`, `[64`, `64:ff9b:`.
private func isBeginning(_ text: String, of address: IPAddress) -> Bool {
    let written = address.description
    let cut = text.hasPrefix("[") ? text.dropFirst() : text[...]
    guard !cut.isEmpty, cut.utf8.count <= 39, cut.utf8.count < written.utf8.count, written.hasPrefix(cut) else {
        return false
    }
    let rest = written.dropFirst(cut.count)
    return rest.hasPrefix(":") && !rest.dropFirst().isEmpty
}
