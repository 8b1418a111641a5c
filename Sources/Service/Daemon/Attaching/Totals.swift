// SPDX-License-Identifier: Apache-2.0
import Control
import NAT64
import RouterThread
import Router
import Simulator
import Translation

/// Sums over clients. They only rise, whatever clients come and go.
struct Totals: Sendable {
    var sent = Control.Traffic()
    var received = Control.Traffic()
    var sessionsOpened: UInt64 = 0
    var drops: [DropReason: UInt64] = [:]

    mutating func add(_ snapshot: PathSnapshot) {
        sent = sent + Control.Traffic(snapshot.traffic.fromClient)
        received = received + Control.Traffic(snapshot.traffic.toClient)
        sessionsOpened &+= snapshot.counters?.sessionsOpened ?? 0
        for drop in snapshot.drops { drops[drop.reason, default: 0] &+= drop.count }
    }
}

extension Control.Traffic {
    init(_ direction: LinkTraffic.Direction) {
        self.init(packets: direction.packets, octets: direction.octets)
    }

    static func + (left: Self, right: Self) -> Self {
        Self(packets: left.packets &+ right.packets, octets: left.octets &+ right.octets)
    }
}
