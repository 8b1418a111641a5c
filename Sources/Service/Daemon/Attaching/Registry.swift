// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Control
import Evidence
import FoundationEssentials
import LinuxNet
import Logging
import RouterThread
import Simulator
import Synchronization
import Topology

/// The attached clients, and the log lines and events about them.
final class Registry: ClientRegister {
    let events: EventHub
    let log: Logger
    private let state = Mutex(State())
    private let refusals = Mutex(RefusalBook())

    private struct State {
        var clients: [UInt64: AttachedClient] = [:]
        var nextID: UInt64 = 1
        /// The final counters of the clients that have left.
        var departed = Totals()
        var departedDevices = 0
    }

    /// - Parameter owner: the daemon's user.
    init(log: Logger, ownedBy owner: UInt32) {
        self.log = log
        events = EventHub(ownedBy: owner)
    }

    /// The attached clients, in the order in which they attached.
    var clients: [AttachedClient] {
        state.withLock { $0.clients.values.sorted { $0.id < $1.id } }
    }

    func client(_ id: UInt64) -> AttachedClient? {
        state.withLock { $0.clients[id] }
    }

    /// Devices that were evicted to make room for others.
    var departedDevices: Int { state.withLock { $0.departedDevices } }

    /// The final counters of the clients that have left.
    var departed: Totals { state.withLock { $0.departed } }

    /// A number for a new client.
    func nextID() -> UInt64 {
        state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
    }

    func add(_ client: AttachedClient) {
        state.withLock { $0.clients[client.id] = client }
        let network = client.connection.network?.rawValue ?? NetworkSchedule.none
        tell(
            .clientAttached, client: client.id,
            client.device.map { "device \(client.name)\(client.name == "\($0)" ? "" : " (\($0))") is on \(network)" }
                ?? "\(client.name) of user \(client.peer.user) is on \(network)",
            ["network": network, "uid": "\(client.peer.user)", "name": client.name])
    }

    /// For the metrics.
    let keepsCounts = true

    /// - Parameter last: the final counters of its path.
    func remove(_ client: AttachedClient, last: PathSnapshot?) {
        state.withLock { state in
            state.clients[client.id] = nil
            if let last { state.departed.add(last) }
            if client.device != nil { state.departedDevices += 1 }
        }
        tell(.clientDetached, client: client.id, "client \(client.id) (\(client.name)) detached", ["name": client.name])
    }

    func tellLoss(of client: AttachedClient, _ loss: String) {
        log.warning(
            "client \(client.id) (\(client.name)): \(loss)",
            metadata: ["client": "\(client.id)", "uid": "\(client.peer.user)"])
    }

    /// Logs a user's first refusal at once, further ones of the same minute together (`tellRefusals`).
    func tellRefusal(of peer: UnixPeer, because reason: String) {
        let isFirst = refusals.withLock { $0.note(peer.user, reason, at: MonotonicClock.now()) }
        if isFirst {
            tell(.clientRefused, level: .warning, "refused: \(reason)", ["reason": reason, "uid": "\(peer.user)"])
        }
    }

    /// Logs the refusals that are due. To be called now and then.
    func tellRefusals() {
        for (user, entry) in refusals.withLock({ $0.due(at: MonotonicClock.now()) }) {
            tell(
                .clientRefused, level: .warning,
                "refused \(entry.count) more of user \(user), the last one: \(entry.reason)",
                ["reason": entry.reason, "uid": "\(user)", "count": "\(entry.count)"])
        }
    }

    /// Writes the event into the log, and sends it to the subscribers of the events.
    func tell(
        _ kind: Event.Kind, client: UInt64? = nil, level: Logger.Level = .info, _ text: String,
        _ details: [String: String] = [:]
    ) {
        var metadata = Logger.Metadata(uniqueKeysWithValues: details.map { ($0, .string($1)) })
        metadata["event"] = .string(kind.rawValue)
        if let client { metadata["client"] = .stringConvertible(client) }
        log.log(level: level, "\(text)", metadata: metadata)
        events.publish(Event(kind, client: client, text: text, details: details))
    }
}
