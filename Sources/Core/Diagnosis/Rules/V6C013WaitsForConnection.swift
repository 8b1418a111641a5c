import Evidence
import Wire

extension Rule {
    /// Through a NAT64 no host can open a connection to a client: it has no IPv4 address of its own. FTP's PORT is the best known
    /// case.
    package static let waitsForConnection = Rule(
        id: "V6C-013", title: "waits for a connection from an IPv4 host",
        advice: "Open the connection from the client: in FTP, passive mode (EPSV, RFC 2428).",
        furtherAdvice: { examination in
            let isFTP = examination.run.seen.flows.contains { $0.transport == .tcp && $0.port == 21 }
            return isFTP ? "PORT carries an IPv4 address only." : nil
        },
        networks: [.nat64], needs: [.flows]
    ) { examination in
        guard let control = examination.control, !examination.run.seen.flows.contains(where: \.isInbound)
        else { return [] }
        let evidence = examination.traced
        let site = evidence.own.first { $0.name == .listen }.map { $0.site(in: evidence) }
        return control.seen.flows.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, flow.isInbound, flow.transport == .tcp,
                flow.bytesSent + flow.bytesReceived > 0
            else { return nil }
            return Observation(
                "On dual-stack \(address) connected to it (from \(service: flow)); through a NAT64 no host can.",
                at: site,
                about: .address(.ipv4(address)))
        }
    }
}
