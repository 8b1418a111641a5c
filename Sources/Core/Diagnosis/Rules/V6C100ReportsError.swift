// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// No rule knows the cause; the client's own words name the line.
    package static let reportsError = Rule(
        id: "V6C-100", title: "reports an error that it does not report on dual-stack",
        advice:
            "Read that line with an IPv6 address in mind: it has no four numbers and no dots, up to 45 characters, colons that are not "
            + "before a port, and a socket address of 28 octets.",
        networks: .ipv6Only, isSymptom: true, isLastResort: true
    ) { examination in
        guard examination.control?.end.isSuccess == true, let error = examination.ownError else { return [] }
        return [Observation(examination.told(error), at: error.site)]
    }
}
