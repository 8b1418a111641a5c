// SPDX-License-Identifier: Apache-2.0
import Control
import LinuxNet
import Logging
import Router
import Wire

/// What the thread at the door of a LAN has in hand: it sees who is there, and has them served.
struct DoorLoop: ~Copyable {
    private let socket: DoorSocket
    private let door: LinkDoor
    private let registry: Registry
    private var devices: Devices
    private let interests: InterestList
    private var now = MonotonicClock.now()
    private var buffer = [UInt8](repeating: 0, count: 2048)
    private var nextQuery: Instant
    private var queries = 0
    /// Until when nothing is read: who floods the door is not to have the processor.
    private var rest: Instant?
    /// Strangers that were told of, and when they may be again.
    private var told: [LinkDoor.Sighting: Instant] = [:]

    private static let token: UInt64 = 1
    /// Frames of a turn, and the pause behind them.
    private static let turn = 64
    private static let pause = Duration.milliseconds(20)
    /// RFC 3810 §9: Startup Query Count, and Query Interval.
    private static let startupQueries = 3
    private static let startupInterval = Duration.seconds(1)
    private static let queryInterval = Duration.seconds(125)
    private static let toldLimit = 16
    private static let tellingInterval = Duration.seconds(60)

    init(
        _ socket: consuming DoorSocket, _ door: LinkDoor, _ devices: consuming Devices, _ registry: Registry,
        _ interests: InterestList
    ) throws(SystemError) {
        try interests.add(socket.descriptor, .readable, token: Self.token)
        self.socket = socket
        self.door = door
        self.devices = devices
        self.registry = registry
        self.interests = interests
        nextQuery = now
    }

    private mutating func take(_ sighting: LinkDoor.Sighting) {
        switch sighting {
        case .nothing: break
        case .device(let address): welcome(address)
        case .askedForIPv4(let address, let answer):
            socket.send(answer)
            welcome(address)
        case .otherRouter(let address, let source):
            warn(
                sighting,
                "\(address) advertises itself as a router (\(source)): devices may go by it, and not by this one")
        case .routersAddress(let address):
            warn(
                sighting,
                "\(address) says that the router's own address is its: devices may go by it, and not by this one")
        }
    }

    private mutating func welcome(_ address: EthernetAddress) {
        guard devices.welcome(address, at: now) else { return }
        do throws(SystemError) {
            try socket.leaveOut(devices.addresses)
        } catch {
            // It goes on to see what it knows.
            registry.log.warning("the door of the LAN is not narrowed: \(error)")
        }
    }

    private mutating func warn(_ sighting: LinkDoor.Sighting, _ text: String) {
        if let next = told[sighting], now < next { return }
        if told.count == Self.toldLimit { told.removeAll() }
        told[sighting] = now + Self.tellingInterval
        registry.tell(.strangerOnLAN, level: .warning, text)
    }

    private func watch(_ readiness: Epoll.Readiness) {
        // Changing what a descriptor is watched for fails only where it is not watched.
        try? interests.modify(socket.descriptor, readiness, token: Self.token)
    }
}

extension DoorLoop: LoopState {
    var nextDeadline: Instant? { .earlier(nextQuery, rest) }

    mutating func begin(at now: Instant) { self.now = now }

    mutating func handle(_ event: Epoll.Event) {
        guard event.token == Self.token else { return }
        for _ in 0..<Self.turn {
            switch socket.read(into: &buffer) {
            case .frame(let count): take(door.read(buffer.span.extracting(0..<count)))
            case .none: return
            case .down: registry.log.warning("the LAN's interface is down: no device is served until it is up again")
            }
        }
        rest = now + Self.pause
        watch([])
    }

    mutating func advance() {
        if let end = rest, end <= now {
            rest = nil
            watch(.readable)
        }
        guard nextQuery <= now else { return }
        socket.send(door.query)
        queries += 1
        nextQuery = now + (queries < Self.startupQueries ? Self.startupInterval : Self.queryInterval)
    }
}
