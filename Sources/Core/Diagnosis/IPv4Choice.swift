// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Examination {
    /// The observations of a client that uses IPv4 alone, with the line that chooses IPv4 if it is not the call's own: a constant in another
    /// module, an option in a variable.
    func withIPv4Choice(_ observations: [Observation], by rule: Rule) -> [Observation] {
        guard Self.rulesOfChoices.contains(rule), let choice = choiceOfIPv4 else { return observations }
        guard !observations.contains(where: { $0.names(choice) }) else { return observations }
        var completed = observations
        completed[0].statement = "\(completed[0].statement) IPv4 is chosen in \(choice)."
        return completed
    }

    /// The only line that chooses IPv4.
    var choiceOfIPv4: CallSite? {
        let places = Set(traced.programs.compactMap(\.choosesIPv4At))
        guard places.count == 1, let place = places.first else { return nil }
        return CallSite(file: place.file, line: place.line)
    }

    private static let rulesOfChoices: Set<Rule> = [
        .asksForIPv4Only, .ignoresIPv6Answer, .takesIPv4Address, .needsIPv4Configured, .toldIPv4Only, .missesHost,
        .looksUpIPv4Only, .leavesHostOut,
    ]
}

extension Observation {
    fileprivate func names(_ place: CallSite) -> Bool {
        ([site].compactMap(\.self) + statement.sites).contains { $0.file == place.file && $0.line == place.line }
    }
}
