// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Topology

struct NetworkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Move a running client to another network, as a telephone goes from Wi-Fi to a mobile one.")

    @OptionGroup var control: ControlOptions

    @Argument(help: ArgumentHelp("The client's number (see nat64sim clients).", valueName: "client"))
    var client: UInt64

    @Argument(
        help: ArgumentHelp("The network (docs/networks.md), or none.", valueName: "network"),
        completion: .list(NetworkSchedule.names))
    var network: String

    @Option(
        help: ArgumentHelp(
            "Of a device: what its router advertises from now on: ra, or ra,no-pref64.", valueName: "set-up"))
    var link: String?

    @Option(
        help: ArgumentHelp(
            "Of a device: what its way to the world is like from now on: 3g, delay=80ms.", valueName: "list"))
    var conditions: String?

    func run() throws {
        let (client, network) = (client, network)
        let wishes = LinkWishes(conditions: conditions.map { [$0] } ?? [], setup: link)
        let moved = try control.ask { try await $0.moveClient(client, to: network, wishing: wishes) }
        try control.show(moved) { "client \($0.id) is on \(network)" }
    }
}
