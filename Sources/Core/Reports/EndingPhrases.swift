// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// `Killed leftover processes: sleep (7), sh (9) and 3 more.` `nil` if there were none.
func phrase(_ survivors: SurvivingProcesses) -> String? {
    if survivors.processes.isEmpty { return nil }
    let names = survivors.processes.map { "\(printable($0.name)) (\($0.process))" }
    let count = names.count + survivors.more
    return "Killed leftover \(plural(count, "process", "processes")): \(names.joined(separator: ", "))"
        + (survivors.more > 0 ? " and \(survivors.more) more." : ".")
}

func phrase(_ link: DeletedLink) -> String {
    switch link.side {
    case .client:
        "The client deleted its link (eth0) after \(seconds(link.time)); nothing has crossed it since."
    case .world:
        "The link to the world was deleted after \(seconds(link.time)); nothing has crossed it since."
    }
}
