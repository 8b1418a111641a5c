// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Text

struct DNSLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dns-log", abstract: "Show the queries that the DNS64 answered, and why it answered so.")

    @OptionGroup var control: ControlOptions

    @Option(help: ArgumentHelp("Only queries of this client (see nat64sim clients).", valueName: "id"))
    var client: UInt64?

    @Flag(name: .shortAndLong, help: "Follow new queries until ^C; JSON is then one object a line.")
    var follow = false

    @OptionGroup var limit: EntryLimit

    /// Short enough for a user watching the output.
    private static let pause = Duration.milliseconds(250)

    func run() throws {
        let (client, limit) = (client, limit.value)
        if follow {
            try follow(client, limit, isJSON: control.json)
        } else {
            try control.show(try control.ask { try await $0.dnsLog(since: nil, limit: limit, client: client) }) { log in
                log.items.map(describe).joined(separator: "\n")
            }
        }
    }

    private func follow(_ client: UInt64?, _ limit: Int, isJSON: Bool) throws {
        try control.ask { daemon in
            var next: UInt64?
            while true {
                let log = try await daemon.dnsLog(since: next, limit: limit, client: client)
                if next != nil, log.lost > 0 {
                    Notice.show("\(counted(log.lost, "line is", "lines are")) missing here: they came too fast")
                }
                for line in log.items {
                    if isJSON { Output.show(try JSONText.encode(line, .line)) } else { Output.show(describe(line)) }
                }
                next = log.next
                if log.items.isEmpty { try await Task.sleep(for: Self.pause) }
            }
        }
    }
}

private func describe(_ line: DNSLogLine) -> String {
    let client = line.client.map { "client \($0)" } ?? "-"
    return "\(JSONText.time(line.time))  \(client)  \(printable(line.text))"
}
