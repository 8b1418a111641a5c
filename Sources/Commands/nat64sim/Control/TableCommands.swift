// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control

/// Selects a client of whose table entries are shown, and how many.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only of this client (see nat64sim clients).", valueName: "id"))
    var client: UInt64?

    @OptionGroup var limit: EntryLimit

    /// The entries of the selected client, or of all clients; `read` gets those of one client.
    func entries<Entry>(
        _ daemon: ControlClient,
        _ read: (ControlClient, UInt64, Int) async throws(ControlClientError) -> Listing<Entry>
    ) async throws(ControlClientError) -> Listing<Entry> {
        var all = Listing<Entry>([])
        try await daemon.ask(client) { daemon, client throws(ControlClientError) in
            let entries = try await read(daemon, client, limit.value)
            all.items += entries.items.prefix(limit.value - all.items.count)
            all.total += entries.total
        }
        return all
    }
}

extension ControlClient {
    /// Calls `body` with the given client, or with every client.
    func ask(
        _ client: UInt64?, _ body: (ControlClient, UInt64) async throws(ControlClientError) -> Void
    ) async throws(ControlClientError) {
        if let client { return try await body(self, client) }
        for client in try await clients().items {
            do throws(ControlClientError) {
                try await body(self, client.id)
            } catch {
                // The client has gone since the list was read.
                if case .refused(status: 404, _) = error { continue }
                throw error
            }
        }
    }
}

/// A command that lists a table of the NAT64.
protocol TableCommand: ParsableCommand {
    associatedtype Entry: Codable & Hashable & Sendable

    var control: ControlOptions { get }
    var table: TableOptions { get }

    static var headings: [String] { get }
    /// The columns that contain numbers.
    static var numeric: Set<Int> { get }
    static func read(
        _ daemon: ControlClient, _ client: UInt64, _ limit: Int
    ) async throws(ControlClientError) -> Listing<Entry>
    static func row(_ entry: Entry) -> [String]
}

extension TableCommand {
    func run() throws {
        let entries = try control.ask { [table] daemon in try await table.entries(daemon, Self.read) }
        try control.show(entries) {
            nat64sim.table(Self.headings, numeric: Self.numeric, $0.items.map(Self.row))
        }
        if let remark = remark(shown: entries.items.count, of: entries.total) { Notice.show(remark) }
    }
}

struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the NAT64's sessions, or have it forget them.",
        subcommands: [List.self, Forget.self], defaultSubcommand: List.self)

    struct List: TableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the NAT64's sessions (RFC 6146 §3.2), as `conntrack -L` does a NAT's.")

        @OptionGroup var control: ControlOptions
        @OptionGroup var table: TableOptions

        static let headings = [
            "CLIENT", "PROTO", "STATE", "EXPIRES", "IPV6 SOURCE", "IPV6 DESTINATION", "IPV4 SOURCE", "IPV4 DESTINATION",
            "SENT", "RECEIVED",
        ]
        static let numeric: Set<Int> = []

        static func read(
            _ daemon: ControlClient, _ client: UInt64, _ limit: Int
        ) async throws(ControlClientError) -> Listing<SessionEntry> {
            try await daemon.sessions(of: client, limit: limit)
        }

        static func row(_ session: SessionEntry) -> [String] {
            [
                "\(session.client)", session.transport, session.state ?? "-", "in " + span(session.expiresIn),
                session.ipv6.source ?? "-", session.ipv6.destination, session.ipv4.source ?? "-",
                session.ipv4.destination, phrase(session.sent), phrase(session.received),
            ]
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the NAT64 forget sessions silently, as after a restart.")

        @OptionGroup var control: ControlOptions

        @Option(help: ArgumentHelp("Only those of this client (see nat64sim clients).", valueName: "id"))
        var client: UInt64?

        func run() throws {
            let forgotten = try control.ask { [client] daemon throws(ControlClientError) in
                var all: [ForgottenSessions] = []
                try await daemon.ask(client) { daemon, client throws(ControlClientError) in
                    all.append(try await daemon.forgetSessions(of: client))
                }
                return Listing(all)
            }
            try control.show(forgotten) { listing in
                nat64sim.table(
                    ["CLIENT", "FORGOTTEN"], numeric: [1], listing.items.map { ["\($0.client)", "\($0.sessions)"] })
            }
        }
    }
}

struct BindingsCommand: TableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bindings", abstract: "List the NAT64's Binding Information Bases (RFC 6146 §3.1).")

    @OptionGroup var control: ControlOptions
    @OptionGroup var table: TableOptions

    static let headings = ["CLIENT", "PROTO", "IPV6", "IPV4", "KIND", "SESSIONS"]
    static let numeric: Set<Int> = [5]

    static func read(
        _ daemon: ControlClient, _ client: UInt64, _ limit: Int
    ) async throws(ControlClientError) -> Listing<BindingEntry> {
        try await daemon.bindings(of: client, limit: limit)
    }

    static func row(_ binding: BindingEntry) -> [String] {
        [
            "\(binding.client)", binding.transport, binding.ipv6, binding.ipv4,
            binding.isStatic ? "static" : "dynamic", "\(binding.sessions)",
        ]
    }
}
