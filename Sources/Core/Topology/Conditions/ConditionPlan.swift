// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The conditions of each network, as written: `lte,loss=3%`, or `nat64:delay=80ms` for one network alone.
package struct ConditionPlan: Hashable, Sendable {
    private struct Choice: Hashable, Sendable {
        /// `nil` means every network.
        var network: Network?
        var changes: [ConditionChange]
        /// The item without its network.
        var text: String
    }

    private var choices: [Choice] = []

    /// The maximum number of items.
    private static let maximum = 100

    package init() {}

    /// - Parameter texts: if two contradict each other, the later one counts.
    package init(_ texts: [String]) throws(ConditionError) {
        var count = 0
        for text in texts {
            let choice = try Self.choice(text)
            choices.append(choice)
            count += choice.changes.count
            if count > Self.maximum { throw ConditionError("there are \(Self.maximum) conditions at most") }
        }
        for network in Network.allCases {
            if let objection = on(network).objection { throw ConditionError(objection) }
        }
    }

    private static func choice(_ text: String) throws(ConditionError) -> Choice {
        var network: Network?
        var rest = text[...]
        if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            guard let known = Network(rawValue: name) else {
                throw ConditionError(
                    "no network \(name.prefix(40)); before the colon stands one of \(Network.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            network = known
            rest = text[text.index(after: colon)...]
        }
        let items = rest.split(separator: ",", omittingEmptySubsequences: false)
        return Choice(network: network, changes: try changes(items), text: rest.lowercased())
    }

    private static func changes(_ items: [Substring]) throws(ConditionError) -> [ConditionChange] {
        guard items.count <= maximum else { throw ConditionError("there are \(maximum) conditions at most") }
        var changes: [ConditionChange] = []
        for item in items { changes.append(try ConditionChange(item)) }
        return changes
    }

    /// The conditions of one host's link.
    /// - Parameter texts: items without a network.
    package static func ofHost(_ texts: [String]) throws(ConditionError) -> Conditions {
        var conditions = Conditions()
        for change in try changes(texts.map { $0[...] }) { change.apply(to: &conditions) }
        if let objection = conditions.objection { throw ConditionError(objection) }
        if conditions.dnsDelay != .zero || !conditions.hasUplink {
            throw ConditionError("dns-delay and no-uplink are of a network, and not of a host: --conditions takes them")
        }
        return conditions
    }

    /// The conditions of this network.
    package func on(_ network: Network) -> Conditions {
        var conditions = Conditions()
        for choice in choices where choice.network == nil || choice.network == network {
            for change in choice.changes { change.apply(to: &conditions) }
        }
        return conditions
    }

    /// The items that apply to this network, as written; empty if there are none.
    package func written(on network: Network) -> [String] {
        if on(network).areNone { return [] }
        return choices.filter { $0.network == nil || $0.network == network }.map(\.text)
    }
}
