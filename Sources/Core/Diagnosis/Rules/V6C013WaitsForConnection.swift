// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Through a NAT64 no host can open a connection to a client, which has no IPv4 address of its own. FTP's PORT is the best known case;
    /// the client's address in a payload is another sign.
    package static let waitsForConnection = Rule(
        id: "V6C-013", title: "waits for a connection from an IPv4 host",
        advice: "Open the connection from the client: in FTP, passive mode (EPSV, RFC 2428).",
        furtherAdvice: { examination in
            let isFTP = examination.run.seen.flows.contains { $0.transport == .tcp && $0.port == 21 }
            return isFTP
                ? "PORT carries an IPv4 address only, and EPRT the client's own: leave the library in passive mode (ftplib: set_pasv)."
                : nil
        },
        networks: .translated, needs: [.flows]
    ) { examination in
        // A server under test waits for the probes of a suite, and its reply may contain its address.
        let isProbed = examination.run.isProbed
        guard let control = examination.control, isProbed || !examination.run.seen.flows.contains(where: \.isInbound)
        else { return [] }
        let evidence = examination.traced
        let sent = examination.sentOwnAddresses.filter { !isProbed || $0.fact.isPortCommand }
        let site = evidence.own.first { $0.name == .listen }.map { $0.site(in: evidence) }
        let inbound: [Observation] = (isProbed ? [] : control.seen.flows).compactMap { flow in
            guard let address = flow.callback, flow.transport == .tcp || !sent.isEmpty else { return nil }
            return Observation(
                "On dual-stack \(address) connected to it (from \(service: flow)); through a NAT64 no host can.",
                at: site, about: .address(.ipv4(address)))
        }
        // Without an inbound connection on dual-stack or a listening socket, an address in a payload is ordinary data.
        let isAwaited = !inbound.isEmpty || site != nil
        let told: [Observation] = sent.filter { isAwaited || $0.fact.isPortCommand }.map { fact, line in
            Observation(
                "It sends \(line.map { "\"\(text: $0)\"" } ?? "an address of its own") to \(fact.farEnd): an IPv4 host cannot connect "
                    + "to where that leads.",
                at: site ?? examination.site(of: fact))
        }
        return told.isEmpty ? inbound : told + inbound
    }
}

extension Flow {
    /// The IPv4 host, if it opened the flow to the client and data was exchanged.
    fileprivate var callback: IPv4Address? {
        guard isInbound, bytesSent + bytesReceived > 0, case .ipv4(let address) = remote else { return nil }
        return address
    }
}

extension PayloadFact {
    fileprivate var isPortCommand: Bool {
        if case .portCommand = matter { true } else { false }
    }
}
