// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension Rule {
    /// With a CLAT, a client that knows only IPv4 works all the same. A client that reached the same host by IPv6 as well does not depend
    /// on the CLAT.
    package static let needsCLAT = Rule(
        id: "V6C-072", title: "works only by CLAT", severity: .warning,
        advice:
            "Go to the host by its name and with every address that getaddrinfo returns. Not every IPv6-only network has a CLAT: "
            + "--network nat64 is one without.",
        networks: [.nat64CLAT], clients: .passing
    ) { examination in
        let names = examination.run.names
        return examination.run.ipv4Dependencies.filter { $0.flow.isAnswered && !$0.hasIPv6 }.map { dependency in
            let sender: Statement = dependency.process.map { " by \(text: baseName($0.program))" } ?? ""
            return Observation(
                names.subject(dependency.flow),
                "\(names.farEnd(dependency.flow)) was reached by IPv4\(sender).")
        }
    }
}
