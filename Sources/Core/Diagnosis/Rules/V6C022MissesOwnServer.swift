// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Two programs of the client, or one and itself, miss each other: one listens on one family, the other connects by the other.
    package static let missesOwnServer = Rule(
        id: "V6C-022", title: "connects by one family to a server of its own that listens on the other",
        advice: "Listen on [::] with IPV6_V6ONLY off, or on both families; locally on 127.0.0.1 and ::1.",
        adviceByLanguage: [
            .python:
                "Listen on \"::\": socket.create_server((\"\", port), family=socket.AF_INET6, dualstack_ipv6=True).",
            .node: "Leave the host out of listen(port): it then listens on [::] for both families.",
            .go: "Listen on \":port\" with \"tcp\", not on \"0.0.0.0:port\" or with \"tcp4\".",
            .ruby: "Use TCPServer.new(\"::\", port), or Socket.tcp_server_sockets, which listens on both families.",
            .perl: "Listen with IO::Socket::IP on \"::\" and V6Only => 0.",
            .java: "Bind new ServerSocket(port) without an address, and leave -Djava.net.preferIPv4Stack out.",
            .rust: "Bind to (Ipv6Addr::UNSPECIFIED, port) instead of \"0.0.0.0\".",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-005", "V6C-016"]
    ) { examination in
        let calls = examination.calls
        let listening = calls.own.filter { $0.name == .listen && $0.error == nil }
        let crossed = Set(examination.run.seen.flows.map(\.remote))
        return calls.attempts.compactMap { call -> Observation? in
            // Packets to the machine's own addresses never cross its link.
            guard call.error == .connectionRefused, let ip = call.address?.ip, !crossed.contains(ip),
                let port = call.address?.port
            else { return nil }
            let here = listening.filter { $0.address?.port == port }
            guard let server = here.first, let bound = server.address?.ip,
                here.allSatisfy({ $0.address?.ip?.isIPv4 == !ip.isIPv4 }),
                !calls.attempts.contains(where: { $0.found(port, of: bound, for: call) })
            else { return nil }
            let (statement, site) = examination.told(call)
            let listener = server.site(in: examination.traced)
            return Observation(
                "\(statement); \(text: listener.program ?? "the program") itself listens on \(bound) port \(Int(port)): "
                    + "\(server, at: listener).", at: listener.file == nil ? site : listener, about: .address(ip))
        }.unique
    }
}

extension TracedCall {
    /// Whether the program of a refused call reached the server by another call after all.
    fileprivate func found(_ port: UInt16, of bound: IPAddress, for refused: TracedCall) -> Bool {
        guard name == .connect, case .succeeded = outcome, program == refused.program else { return false }
        return address?.port == port && address?.ip?.isIPv4 == bound.isIPv4
    }
}
