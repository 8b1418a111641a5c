// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence

extension Examination {
    /// The names without an AAAA record here, by the answers to the client, whose hosts it reached by IPv4 on dual-stack, each with its
    /// flow there.
    var hostsWithoutIPv6: [(name: DomainName, flow: Flow)] {
        guard gotThroughOnDualStack, let control else { return [] }
        let asked = run.seen.questions.filter { $0.isForAddress && $0.isFaultless }
        let withIPv6 = Set(asked.filter { $0.addresses.contains { !$0.isIPv4 } }.map(\.name))
        var told: Set<DomainName> = []
        return telling.compactMap { flow in
            guard flow.remote.isIPv4, let name = control.names[flow], !withIPv6.contains(name),
                asked.contains(where: { $0.name == name }), told.insert(name).inserted
            else { return nil }
            return (name, flow)
        }
    }
}
