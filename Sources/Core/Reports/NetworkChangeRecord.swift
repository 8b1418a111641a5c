// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology

struct NetworkChangeRecord: Encodable, Sendable {
    /// Since the client's start.
    let seconds: Double
    /// A network's name, or `none`.
    let network: String

    init(_ change: NetworkChange) {
        seconds = change.time / .seconds(1)
        network = change.network?.rawValue ?? NetworkSchedule.none
    }
}
