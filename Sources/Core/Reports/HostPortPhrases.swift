// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// `Port 5432 of its own 127.0.0.1 and ::1 was port 15432 of this machine: 3 connections, of which 1 was refused there.`
func phrase(_ use: HostPortUse) -> String {
    let place = use.port.port == use.port.host ? "that of this machine" : "port \(use.port.host) of this machine"
    let refused =
        use.refused == 0
        ? ""
        : use.refused == use.connections
            ? ", refused: nothing listens there"
            : ", of which \(use.refused) \(use.refused == 1 ? "was" : "were") refused: nothing listened there"
    let count = use.connections == 0 ? "no connection" : counted(use.connections, "connection")
    return "Port \(use.port.port) of its own 127.0.0.1 and ::1 was \(place): \(count)\(refused)."
}
