// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// The client's 127.0.0.1 is not the machine's: a database that a CI job has started is not there.
    package static let asksForMachinesService = Rule(
        id: "V6C-096", title: "looks at its own 127.0.0.1 or ::1 for what listens on the machine", severity: .note,
        advice:
            "Name the port: with --host-port 5432, port 5432 of the program's own 127.0.0.1 and ::1 is that of this machine. Or have the service "
            + "started by the command itself, or by servers of a suite.",
        clients: .all
    ) { examination in
        let calls = examination.traced
        return calls.refusedLocally.compactMap { call -> Observation? in
            guard case .ip(let address, let port) = call.address, calls.machinePorts.contains(port) else { return nil }
            let (statement, site) = examination.told(call)
            return Observation(
                "\(statement); that is the simulated machine, and this one listens at port \(Int(port)): --host-port \(Int(port)).",
                at: site, about: .address(address))
        }.unique
    }
}
