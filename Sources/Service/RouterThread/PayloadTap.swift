// SPDX-License-Identifier: Apache-2.0
package import Evidence
import LinuxNet
package import Router
import Synchronization
package import Wire

/// Keeps the beginning of the data that a client sends and receives. Used in traced runs only, so that others have no cost.
package final class PayloadTap: PacketTap {
    private let log: Mutex<PayloadLog>
    private let start = MonotonicClock.now()
    private let next: (any PacketTap)?

    /// - Parameters:
    ///   - clients: the client's own addresses.
    ///   - resolvers: its DNS servers.
    ///   - next: gets every packet as well.
    package init(of clients: [IPAddress], resolvers: [IPAddress], next: (any PacketTap)?) {
        log = Mutex(PayloadLog(of: clients, resolvers: resolvers))
        self.next = next
    }

    package func record(_ packet: borrowing PacketBuffer) {
        next?.record(packet)
        let time = MonotonicClock.now() - start
        log.withLock { $0.record(packet.bytes, at: time) }
    }

    /// The data kept so far.
    package var payloads: PayloadRecord { log.withLock { $0.payloads } }
}
