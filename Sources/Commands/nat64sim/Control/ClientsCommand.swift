// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import FoundationEssentials

struct ClientsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract:
            "List the clients: those that are attached, the addresses that send through a gateway, or the devices of a LAN."
    )

    @OptionGroup var control: ControlOptions
    @OptionGroup var gateway: GatewayClientOptions

    func run() throws {
        if let clients = try gateway.clients(control) {
            try control.show(clients) { GatewayTable(clients: $0.items).text }
            gateway.tellRest(clients)
            return try showRest(beside: clients)
        }
        try control.show(try control.ask { try await $0.clients() }, as: describe)
    }

    /// Shows the clients that runners have attached beside the devices of a LAN.
    private func showRest(beside devices: GatewayClients) throws {
        let ids = Set(devices.items.compactMap { $0.device?.id })
        if ids.isEmpty || control.json { return }
        var rest = try control.ask { try await $0.clients() }
        rest.items.removeAll { ids.contains($0.id) }
        if !rest.items.isEmpty { Output.show("\n" + describe(rest)) }
    }

    private func describe(_ clients: Listing<ClientSummary>) -> String {
        let now = Date()
        return table(
            ["ID", "NETWORK", "UID", "PID", "ATTACHED", "SENT", "RECEIVED", "SESSIONS", "DROPS", "ADDRESSES"],
            numeric: [7, 8],
            clients.items.map { client in
                [
                    "\(client.id)", client.network, "\(client.peer.uid)",
                    client.peer.pid == 0 ? "-" : "\(client.peer.pid)",
                    span(now.timeIntervalSince(client.since)) + " ago" + (client.responding ? "" : ", not answering"),
                    phrase(client.sent), phrase(client.received),
                    "\(client.sessions)", "\(client.drops)", client.addresses.joined(separator: " "),
                ]
            }
        )
    }
}

/// Selects the clients of a gateway to show, and their names.
struct GatewayClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Of a gateway or a LAN: names of clients, in lines of an address and a name.", valueName: "file"))
    var names: String?

    @OptionGroup var limit: EntryLimit

    /// `nil` if the daemon is no gateway.
    func clients(_ control: ControlOptions) throws -> GatewayClients? {
        let known = try names.map { try ClientNames(file: $0) } ?? ClientNames()
        let limit = limit.value
        let clients = try control.ask { daemon throws(ControlClientError) -> GatewayClients? in
            do throws(ControlClientError) {
                return try await daemon.gatewayClients(limit: limit)
            } catch {
                // A daemon of an earlier version does not have this resource.
                if case .refused(let status, _) = error, [404, 409].contains(status) { return nil }
                throw error
            }
        }
        guard var clients else { return nil }
        clients.items = known.named(clients.items)
        return clients
    }

    func tellRest(_ clients: GatewayClients) {
        if let remark = remark(shown: clients.items.count, of: clients.total) { Notice.show(remark) }
        if clients.forgotten > 0 {
            Notice.show("of \(clients.forgotten) more nothing is known any more, as others came")
        }
    }
}

struct FindingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings", abstract: "Show what the rules say of a gateway's clients, or of the devices of a LAN."
    )

    @OptionGroup var control: ControlOptions
    @OptionGroup var gateway: GatewayClientOptions

    func run() throws {
        guard let clients = try gateway.clients(control) else {
            throw CommandFailure(
                description: "this daemon is no gateway (nat64sim gateway), and has no LAN (serve --lan)",
                status: .noSuccess)
        }
        var found = clients
        found.items.removeAll { $0.findings.isEmpty }
        try control.show(found) { GatewayFindingsText(clients: $0.items).lines.joined(separator: "\n") }
        gateway.tellRest(clients)
    }
}
