// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Examination {
    /// Observations of connections to the world's servers, one for each far end, at the call that made its first connection.
    func observations(
        of connections: [ServedConnection], _ statement: (ServedConnection) -> Statement
    ) -> [Observation] {
        var seen: Set<Observation.Subject> = []
        let names = run.names
        return connections.compactMap { connection in
            let flow = run.flow(of: connection)
            let subject =
                flow.map(names.subject) ?? .farEnd(.address(connection.address), .tcp, port: connection.port)
            guard seen.insert(subject).inserted else { return nil }
            let place: Statement = flow.map(names.farEnd) ?? "\(connection.address)"
            return Observation(
                subject, "It connected to \(place) \(statement(connection))", at: call(for: flow)?.site(in: traced))
        }
    }

    private func call(for flow: Flow?) -> TracedCall? {
        guard let flow else { return nil }
        return traced.calls.first { call in
            call.name == .connect && call.socket?.type == SocketKind.stream && call.address?.ip == flow.remote
                && call.address?.port == flow.port
        }
    }
}

extension TLSHandshake {
    /// Whether it has a server name. An address is none (RFC 6066 §3: "Literal IPv4 and IPv6 addresses are not permitted").
    var namesServer: Bool { serverName.map { IPAddress($0) == nil } ?? false }
}

extension ServedConnection {
    /// Whether the client refused the server's certificate: it sent an alert, or closed the connection without a request.
    var certificateWasRefused: Bool {
        guard let tls, !tls.isBad else { return false }
        switch tls.end {
        case .refusedByClient(let alert): return Self.ofCertificates.contains(alert)
        case .completed:
            return saysNothing && wasEndedByClient
        // Node checks the name itself, and destroys the socket before it has sent its Finished.
        case .left: return !tls.certificateNames.isEmpty
        case .open, .refusedByServer, .failed: return false
        }
    }

    /// The client's refusal in words.
    var refusal: Statement {
        if case .refusedByClient(let alert)? = tls?.end { return "refused it (\(text: tlsAlertName(alert)))" }
        return "closed the connection without a request"
    }

    /// bad_certificate, unsupported_certificate, certificate_unknown, unknown_ca, access_denied (RFC 8446 §6.2). Implementations differ in
    /// the alert for a name that does not match.
    private static let ofCertificates: Set<UInt8> = [42, 43, 46, 48, 49]
}

extension TLSHandshake {
    /// `a certificate for shop.test`
    var certificate: Statement {
        certificateNames.first.map { "a certificate for \($0)" } ?? "a certificate"
    }
}
