// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// No rule knows the cause; the client's own words name the line.
    package static let reportsError = Rule(
        id: "V6C-100", title: "reports an error that it does not report on dual-stack", severityIfPassing: .warning,
        advice:
            "Read that line with an IPv6 address in mind: it has no four numbers and no dots, up to 45 characters, colons that are not "
            + "before a port, and a socket address of 28 octets.",
        networks: .ipv6Only, clients: .all, isSymptom: true, isLastResort: true
    ) { examination in
        guard examination.control?.end.isSuccess == true else { return [] }
        if examination.run.end.isSuccess {
            // V6C-103 quotes the error.
            if Rule.asksForLess.applies(to: examination), !Rule.asksForLess.observe(examination).isEmpty { return [] }
            return examination.handledError().map { [Observation($0.statement, at: $0.site)] } ?? []
        }
        guard let error = examination.ownError else { return [] }
        return [Observation(examination.told(error), at: error.site)]
    }
}
