// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology
import Wire

extension Rule {
    /// A guard against server-side request forgery checks a text, or one address of several, and the program then connects to another.
    package static let ledToPrivateAddress = Rule(
        id: "V6C-097", title: "lets itself be led to a private address", severityIfPassing: .warning,
        advice:
            "Look the name up once, take the embedded IPv4 address out of each address (IPv4-mapped, 64:ff9b::/96, and the network's own "
            + "prefixes, which ipv4only.arpa tells: RFC 7050), judge that, and connect to the very address that was judged; do the same "
            + "for each redirect.",
        networks: [.nat64, .dualStack], clients: .all
    ) { examination in
        examination.run.canaryContacts.map { contact in
            let call = examination.call(to: contact)
            let what: Statement = contact.canary.map { ", \($0, at: contact.address)" } ?? ""
            let outcome: Statement =
                if contact.isProxied {
                    "reached \(contact.address)\(what) through the proxy"
                } else if let received = contact.received, contact.isHit {
                    "got \(octets: received) from \(contact.address)\(what)"
                } else if contact.isHit {
                    "got an answer of \(contact.canary ?? .loopback, at: contact.address)"
                } else {
                    "tried \(contact.address)\(what), from where nothing came"
                }
            let place: Statement = call.map { ": \($0.statement)" } ?? ""
            return Observation(
                "It was given \(contact.trial), and \(outcome)\(place).", at: call?.site,
                about: .address(contact.canary?.address ?? contact.address))
        }
    }
}

extension Examination {
    /// The call by which the client contacted the place, with its site.
    fileprivate func call(to contact: CanaryContact) -> (statement: Statement, site: CallSite)? {
        if contact.isProxied { return nil }
        let attempts = traced.attempts.filter { attempt in
            guard let address = attempt.address?.ip else { return false }
            if contact.address == Canary.loopback.address { return address.isOfTheMachine }
            if address == contact.address || attempt.ipv4.map({ .ipv4($0) == contact.address }) ?? false { return true }
            return run.seen.flows.contains { $0.remote == address && $0.host == contact.address }
        }
        return (attempts.first(where: \.hasOwnLine) ?? attempts.first).map { told($0) }
    }
}
