// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Text

struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Show what happens in the daemon, until it ends; JSON is one object a line.")

    @OptionGroup var control: ControlOptions

    func run() throws {
        let isJSON = control.json
        try control.ask { daemon in
            try await daemon.followEvents { event in
                if isJSON { return Output.show(try JSONText.encode(event, .line)) }
                let client = event.client.map { "client \($0)" } ?? "-"
                Output.show("\(JSONText.time(event.time))  \(event.kind.rawValue)  \(client)  \(printable(event.text))")
            }
        }
    }
}
