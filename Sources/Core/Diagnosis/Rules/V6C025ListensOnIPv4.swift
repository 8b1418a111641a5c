// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Nobody on the network reaches such a server. One for its own machine alone is another matter.
    package static let listensOnIPv4 = Rule(
        id: "V6C-025", title: "listens on IPv4 only", severity: .warning,
        advice: "Listen on [::] with IPV6_V6ONLY off, or on 0.0.0.0 and [::].",
        adviceByLanguage: Rule.missesOwnServer.adviceByLanguage,
        networks: .ipv6Only, clients: .passing
    ) { examination in
        guard let calls = examination.run.calls else { return [] }
        let listening = calls.own.filter { $0.name == .listen && $0.error == nil }
        return listening.compactMap { call in
            guard case .ip(let ip, let port) = call.address, ip.isIPv4, !isLoopback(ip),
                !listening.contains(where: { $0.address?.port == port && $0.address?.ip?.isIPv4 == false })
            else { return nil }
            let (statement, site) = examination.told(call)
            return Observation("\(statement): no IPv6 host can connect to it.", at: site)
        }.unique
    }
}

private func isLoopback(_ address: IPAddress) -> Bool {
    if case .ipv4(let address) = address { address.bits >> 24 == 127 } else { false }
}
