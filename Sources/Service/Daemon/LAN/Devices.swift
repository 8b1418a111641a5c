// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Evidence
import LinuxNet
import RouterThread
import Router
import Simulator
import Text
import Topology
import Uplink
import Wire

/// The devices on a LAN that are clients now. Each gets a place, a socket of its own, and a packet path.
///
/// Theory of operation. A device is known by its Ethernet address, which anyone can forge; so their number is limited to the places.
/// If all are taken, a new device evicts one that has shown no address of its own, or that was silent for long; if there is
/// none, it is refused. The observations of an evicted device are lost.
struct Devices: ~Copyable {
    private struct Device {
        let client: AttachedClient
        let request: PlaceRequest
        let slot: LANLink.Slot
        let since: Instant
        /// The packets that it had sent at the last check.
        var sent: UInt64 = 0
        /// The time at which that count last changed.
        var last: Instant
    }

    private let plan: LANPlan
    private let own: EthernetAddress
    private let attach: AttachService
    private let registry: Registry
    private let peer: UnixPeer
    private var free: [LANLink.Slot]
    private var devices: [EthernetAddress: Device] = [:]
    private var nextEviction = Instant.zero

    /// A device that has taken no address in that time does not exist, or has left.
    private static let settlingTime = Duration.seconds(10)
    /// A telephone that sleeps is silent for some minutes.
    private static let silence = Duration.seconds(600)
    /// Minimum interval between evictions, so that a host that forges addresses does not keep the others from being served.
    private static let evictionPause = Duration.seconds(1)
    private static let questionTimeout = Duration.milliseconds(200)

    /// - Parameters:
    ///   - own: the router's address.
    ///   - peer: the daemon itself, whose clients they are.
    init(
        _ plan: LANPlan, own: EthernetAddress, slots: [LANLink.Slot], _ attach: AttachService, _ registry: Registry,
        peer: UnixPeer
    ) {
        self.plan = plan
        self.own = own
        free = slots
        self.attach = attach
        self.registry = registry
        self.peer = peer
    }

    var addresses: [EthernetAddress] { Array(devices.keys) }

    /// Serves a device from now on, if it is not served already.
    /// - Returns: whether it is new.
    mutating func welcome(_ address: EthernetAddress, at now: Instant) -> Bool {
        if devices[address] != nil { return false }
        guard let slot = free.popLast() ?? evict(at: now) else {
            refuse(
                address,
                because: "there is no place for it: \(counted(devices.count, "device is", "devices are")) served")
            return false
        }
        guard let (request, place) = attach.requestPlace(for: peer) else {
            free.append(slot)
            refuse(address, because: "there is no place for it: other clients have them")
            return false
        }
        do {
            let link = try slot.socket.link(to: address, from: own)
            let client = try attach.serve(
                link, of: address, plan[address], router: own, at: place, on: plan.network, for: peer)
            devices[address] = Device(client: client, request: request, slot: slot, since: now, last: now)
            return true
        } catch {
            give(back: slot, request)
            refuse(address, because: "\(error)")
            return false
        }
    }

    private func refuse(_ address: EthernetAddress, because reason: String) {
        registry.tellRefusal(of: peer, because: "device \(address): \(reason)")
    }

    private mutating func give(back slot: LANLink.Slot, _ request: PlaceRequest) {
        slot.socket.leave()
        attach.end(request)
        free.append(slot)
    }

    // MARK: - Room

    /// Frees the socket of the device that is the least likely to be present; `nil` if none is idle.
    private mutating func evict(at now: Instant) -> LANLink.Slot? {
        if now < nextEviction { return nil }
        nextEviction = now + Self.evictionPause
        lookAtAll(now)
        let idle = devices.filter { _, device in
            device.sent == 0 ? now - device.since >= Self.settlingTime : now - device.last >= Self.silence
        }
        let oldest = idle.min {
            ($0.value.sent == 0 ? 0 : 1, $0.value.last) < ($1.value.sent == 0 ? 0 : 1, $1.value.last)
        }
        guard let (address, device) = oldest else { return nil }
        devices[address] = nil
        device.client.connection.cut()
        registry.remove(device.client, last: nil)
        give(back: device.slot, device.request)
        return free.popLast()
    }

    /// Updates the count of packets that each device has sent from addresses of its own. All paths are asked at once.
    private mutating func lookAtAll(_ now: Instant) {
        let questions = devices.compactMap { address, device in
            (device.client.connection as? Connection).map { (address, $0.clients()) }
        }
        let deadline = MonotonicClock.now() + Self.questionTimeout
        for (address, question) in questions {
            guard let seen = try? question.answer(until: deadline) else { continue }
            let sent = seen.all.reduce(0) { $0 + $1.sent.packets }
            if sent == devices[address]?.sent { continue }
            devices[address]?.sent = sent
            devices[address]?.last = seen.all.map(\.last).max() ?? now
        }
    }
}
