// SPDX-License-Identifier: Apache-2.0
import Control
import DNS64
import DNSServer
import Synchronization

/// The active faults of the DNS64, by numbers that do not change.
final class FaultBook: Sendable {
    fileprivate struct State {
        var entries: [(id: UInt64, fault: Fault)] = []
        var nextID: UInt64 = 1
    }

    private let dns: DNSService
    private let state: Mutex<State>

    /// Begins with the faults that the DNS server already has.
    init(_ dns: DNSService) {
        self.dns = dns
        var start = State()
        start.take(dns.faults)
        state = Mutex(start)
    }

    var entries: [FaultEntry] {
        state.withLock { state in state.entries.map { FaultEntry(id: $0.id, fault: $0.fault.description) } }
    }

    func add(_ fault: Fault) throws(ControlError) -> FaultEntry {
        try state.withLock { state throws(ControlError) in
            guard state.entries.count < Fault.maximumFaults else {
                throw ControlError(
                    .exhausted, "there are \(Fault.maximumFaults) faults, which is the most; remove some of them first")
            }
            let id = state.nextID
            state.take([fault])
            publish(state)
            return FaultEntry(id: id, fault: fault.description)
        }
    }

    /// `nil` if there is no fault of that number.
    func remove(_ id: UInt64) -> FaultEntry? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            let removed = state.entries.remove(at: index)
            publish(state)
            return FaultEntry(id: removed.id, fault: removed.fault.description)
        }
    }

    /// Replaces all faults by these.
    func replaceAll(by faults: [Fault]) {
        state.withLock { state in
            state.entries = []
            state.take(faults)
            publish(state)
        }
    }

    private func publish(_ state: State) {
        dns.changeFaults { $0 = state.entries.map(\.fault) }
    }
}

extension FaultBook.State {
    fileprivate mutating func take(_ faults: [Fault]) {
        for fault in faults {
            entries.append((nextID, fault))
            nextID += 1
        }
    }
}
