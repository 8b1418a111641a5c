// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

/// A far end that must answer the client: `shop.test tcp/443`, or a host or an address alone.
package struct FlowExpectation: Hashable, Sendable {
    package let text: String
    private let host: String
    private let transport: Flow.Transport?
    private let port: UInt16?

    /// `nil` if it names no host.
    package init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard (1...2).contains(parts.count) else { return nil }
        self.text = text
        host = parts[0].lowercased()
        if parts.count == 1 {
            (transport, port) = (nil, nil)
            return
        }
        let service = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard service.count == 2, let transport = Flow.Transport(rawValue: String(service[0])),
            let port = UInt16(service[1])
        else { return nil }
        (self.transport, self.port) = (transport, port)
    }

    func isMet(by run: RunEvidence) -> Bool {
        let names = run.names
        return run.seen.flows.contains { flow in
            guard flow.isAnswered, !flow.isInbound, transport.map({ $0 == flow.transport }) ?? true,
                port.map({ $0 == flow.port }) ?? true
            else { return false }
            let name = names[flow].map { String($0.description.dropLast()).lowercased() }
            return name == host || "\(flow.remote)" == host || flow.ipv4Destination.map { "\($0)" == host } ?? false
        }
    }
}

extension NetworkEvidence {
    /// The number of the client's attempts to reach an IPv4 address, on a network that has IPv4; its DNS server does not count.
    var ipv4Attempts: Int {
        flows.filter { flow in
            guard case .ipv4 = flow.remote, flow.route == .direct, !flow.isInbound else { return false }
            return flow.port != 53
        }.map { max(1, $0.attempts) }.reduce(0, +)
    }
}
