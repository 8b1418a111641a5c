// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import FoundationEssentials

struct ClientsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "List the clients that are attached.")

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.show(try control.ask { try await $0.clients() }, as: describe)
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
