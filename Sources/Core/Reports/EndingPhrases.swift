// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// `Ended with the client: sleep (process 7), sh (process 9) and 3 more.` `nil` if nothing had outlived it.
func phrase(_ survivors: SurvivingProcesses) -> String? {
    if survivors.processes.isEmpty { return nil }
    let names = survivors.processes.map { "\(printable($0.name)) (process \($0.process))" }
    return "Ended with the client: \(names.joined(separator: ", "))"
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
