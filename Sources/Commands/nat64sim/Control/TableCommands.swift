import ArgumentParser
import Control

/// Whose entries of a table are wanted, and how many.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only of this client (see nat64sim clients).", valueName: "id"))
    var client: UInt64?

    @OptionGroup var limit: EntryLimit

    /// The entries of the one client, or of all, as `read` gets those of one.
    func entries<Entry>(
        _ daemon: ControlClient,
        _ read: (ControlClient, UInt64, Int) async throws(ControlClientError) -> Listing<Entry>
    ) async throws(ControlClientError) -> Listing<Entry> {
        if let client { return try await read(daemon, client, limit.value) }
        var all = Listing<Entry>([])
        for client in try await daemon.clients().items {
            let entries: Listing<Entry>
            do throws(ControlClientError) {
                entries = try await read(daemon, client.id, limit.value)
            } catch {
                // It went while we asked for the others.
                if case .refused(status: 404, _) = error { continue }
                throw error
            }
            all.items += entries.items.prefix(limit.value - all.items.count)
            all.total += entries.total
        }
        return all
    }
}

struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the NAT64's sessions (RFC 6146 §3.2), as `conntrack -L` does a NAT's.")

    @OptionGroup var control: ControlOptions
    @OptionGroup var table: TableOptions

    func run() throws {
        let sessions = try control.ask { [table] daemon in
            try await table.entries(daemon) { client, id, limit throws(ControlClientError) in
                try await client.sessions(of: id, limit: limit)
            }
        }
        try control.show(sessions, as: describe)
        if let remark = remark(shown: sessions.items.count, of: sessions.total) { Message.show(remark) }
    }

    private func describe(_ sessions: Listing<SessionEntry>) -> String {
        table(
            [
                "CLIENT", "PROTO", "STATE", "EXPIRES", "IPV6 SOURCE", "IPV6 DESTINATION", "IPV4 SOURCE",
                "IPV4 DESTINATION", "SENT", "RECEIVED",
            ],
            sessions.items.map { session in
                [
                    "\(session.client)", session.transport, session.state ?? "-", "in " + span(session.expiresIn),
                    session.ipv6.source ?? "-", session.ipv6.destination, session.ipv4.source ?? "-",
                    session.ipv4.destination, phrase(session.sent), phrase(session.received),
                ]
            }
        )
    }
}

struct BindingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bindings", abstract: "List the NAT64's Binding Information Bases (RFC 6146 §3.1).")

    @OptionGroup var control: ControlOptions
    @OptionGroup var table: TableOptions

    func run() throws {
        let bindings = try control.ask { [table] daemon in
            try await table.entries(daemon) { client, id, limit throws(ControlClientError) in
                try await client.bindings(of: id, limit: limit)
            }
        }
        try control.show(bindings, as: describe)
        if let remark = remark(shown: bindings.items.count, of: bindings.total) { Message.show(remark) }
    }

    private func describe(_ bindings: Listing<BindingEntry>) -> String {
        table(
            ["CLIENT", "PROTO", "IPV6", "IPV4", "KIND", "SESSIONS"], numeric: [5],
            bindings.items.map { binding in
                [
                    "\(binding.client)", binding.transport, binding.ipv6, binding.ipv4,
                    binding.isStatic ? "static" : "dynamic", "\(binding.sessions)",
                ]
            }
        )
    }
}
