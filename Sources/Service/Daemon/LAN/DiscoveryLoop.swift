// SPDX-License-Identifier: Apache-2.0
import Control
import LinuxNet
import Logging
import Router
import Wire

/// The state of the thread that listens on a LAN for new devices: it detects them, and has them served.
struct DiscoveryLoop: ~Copyable {
    private let socket: DiscoverySocket
    private let detector: DeviceDetector
    private let registry: Registry
    private var devices: Devices
    private let interests: InterestList
    private var now = MonotonicClock.now()
    private var buffer = [UInt8](repeating: 0, count: 2048)
    private var nextQuery: Instant
    private var queries = 0
    /// Nothing is read until then, so that a host that floods the socket does not take the processor.
    private var rest: Instant?
    /// Strangers that were reported, and when each may be reported again.
    private var told: [DeviceDetector.Sighting: Instant] = [:]

    private static let token: UInt64 = 1
    /// Frames read in one turn, and the pause after them.
    private static let turn = 64
    private static let pause = Duration.milliseconds(20)
    /// RFC 3810 §9: Startup Query Count, and Query Interval.
    private static let startupQueries = 3
    private static let startupInterval = Duration.seconds(1)
    private static let queryInterval = Duration.seconds(125)
    private static let toldLimit = 16
    private static let tellingInterval = Duration.seconds(60)

    init(
        _ socket: consuming DiscoverySocket, _ detector: DeviceDetector, _ devices: consuming Devices,
        _ registry: Registry,
        _ interests: InterestList
    ) throws(SystemError) {
        try interests.add(socket.descriptor, .readable, token: Self.token)
        self.socket = socket
        self.detector = detector
        self.devices = devices
        self.registry = registry
        self.interests = interests
        nextQuery = now
    }

    private mutating func take(_ sighting: DeviceDetector.Sighting) {
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
            // Without the filter it still sees frames of devices that it knows already.
            registry.log.warning("the detector of the LAN is not narrowed: \(error)")
        }
    }

    private mutating func warn(_ sighting: DeviceDetector.Sighting, _ text: String) {
        if let next = told[sighting], now < next { return }
        if told.count == Self.toldLimit { told.removeAll() }
        told[sighting] = now + Self.tellingInterval
        registry.tell(.strangerOnLAN, level: .warning, text)
    }

    private func watch(_ readiness: Epoll.Readiness) {
        // Modifying the interest in a descriptor fails only if it is not registered.
        try? interests.modify(socket.descriptor, readiness, token: Self.token)
    }
}

extension DiscoveryLoop: LoopState {
    var nextDeadline: Instant? { .earlier(nextQuery, rest) }

    mutating func begin(at now: Instant) { self.now = now }

    mutating func handle(_ event: Epoll.Event) {
        guard event.token == Self.token else { return }
        for _ in 0..<Self.turn {
            switch socket.read(into: &buffer) {
            case .frame(let count): take(detector.read(buffer.span.extracting(0..<count)))
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
        socket.send(detector.query)
        queries += 1
        nextQuery = now + (queries < Self.startupQueries ? Self.startupInterval : Self.queryInterval)
    }
}
