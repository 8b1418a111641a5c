// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import HostPorts
import LinuxNet
import Sandbox

/// The ports of the machine that clients are given, and those that they miss.
final class MachinePorts {
    private let ports: [HostPort]
    /// `nil` if clients are given none, and once it has been ended.
    private var bridge: HostPortBridge?
    /// Diagnosis of the machine's sockets, opened before they are out of reach; `nil` if the kernel does not offer it.
    private let diagnosis: SocketDiagnosis?

    /// To be called in the machine's network, while the process has one thread.
    init(_ ports: [HostPort]) throws(CheckFailure) {
        self.ports = ports
        bridge =
            ports.isEmpty
            ? nil : try CheckFailure.wrapping { () throws(SystemError) in try HostPortBridge.start(ports) }
        diagnosis = try? SocketDiagnosis()
    }

    /// Serves the machine's ports at the client's loopback addresses.
    func serve(_ client: borrowing GuardedClient) throws(CheckFailure) {
        for index in ports.indices {
            for _ in 0..<Client.listenersOfPort {
                let listener = try client.takeListener()
                do throws(SystemError) { try bridge?.serve(listener, at: index) } catch { throw lossOfBridge() }
            }
        }
    }

    /// Waits until everything that the client has sent to these ports has arrived, and returns their use.
    func use() throws(CheckFailure) -> [HostPortUse] {
        if ports.isEmpty { return [] }
        do throws(SystemError) { return try bridge?.finish() ?? [] } catch { throw lossOfBridge() }
    }

    private func lossOfBridge() -> CheckFailure {
        CheckFailure(
            "the process that leads to ports of this machine \(bridge?.explanation() ?? "has ended"); nothing is known of this run",
            .machineCannot)
    }

    /// Whether the client's connections to this port of its own are led to the machine.
    func serves(_ port: UInt16) -> Bool { ports.contains { $0.port == port } }

    /// Ports of the client's own loopback addresses that refused the client, and at which the machine listens.
    func refused(in calls: CallEvidence) -> [UInt16] {
        let refused = calls.portsRefusedLocally
        guard !refused.isEmpty, let listening = try? diagnosis?.listening() else { return [] }
        return Set(
            listening.filter { $0.address.servesLoopback && refused.contains($0.address.port) }.map(\.address.port)
        ).sorted()
    }

    func tellToEnd() { bridge?.tellToEnd() }

    func end() { bridge.take()?.end() }
}
