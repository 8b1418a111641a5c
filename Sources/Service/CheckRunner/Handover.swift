// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Sandbox
import Simulator
import Topology
import Wire

/// Takes a client from network to network while it runs, following its schedule.
///
/// Theory of operation. At each change the client first loses its routes, its addresses, and, if there is no network next, its link. Then
/// the far side prepares the next network, and at last the client gets its side of it. Packets that the client sends meanwhile are lost, as
/// between two real networks.
struct Handover: ~Copyable {
    private var held: HeldNetwork
    private var rest: ArraySlice<NetworkSchedule.Phase>
    private let start: Instant
    /// When the present phase ends; `nil` if it is the last.
    private(set) var next: Instant?
    /// The client's networks so far, the present one included.
    private var visited: [NetworkChange]
    /// The client's present place; between two networks, its previous one.
    private var place: ReservedSlot
    /// The Pref64s that the client last had.
    private(set) var prefixes: [String]

    private static let timelineLimit = 256

    /// The client's networks; empty if it was on one network all the time.
    var timeline: [NetworkChange] { visited.count > 1 ? visited : [] }

    /// Whether networks are still to come.
    var isUnfinished: Bool { !rest.isEmpty }

    /// For a client on the first network of its schedule that begins at `start`. If the schedule begins without a network, the client loses
    /// its network at the first `advance`, before it begins.
    init(_ held: consuming HeldNetwork, at place: ReservedSlot, _ schedule: NetworkSchedule, start: Instant) {
        self.held = held
        self.place = place
        prefixes = place.prefixes
        self.start = start
        if schedule.first == nil {
            rest = schedule.phases[...]
            next = start
            visited = []
        } else {
            rest = schedule.phases.dropFirst()
            next = schedule.phases[0].duration.map { start + $0 }
            visited = [NetworkChange(time: .zero, network: schedule.first)]
        }
    }

    /// Makes the changes whose time has come.
    mutating func advance(
        to now: Instant, on connection: borrowing any ClientConnection & ~Copyable
    ) throws(CheckFailure) {
        while let time = next, time <= now, let phase = rest.popFirst() {
            try move(to: phase.network, on: connection)
            // The phases keep to the clock, however long a change takes.
            next = phase.duration.map { time + $0 }
        }
    }

    /// Moves the client to another network, unless it is there already, until the next change of its schedule.
    mutating func move(
        to network: Network?, on connection: borrowing any ClientConnection & ~Copyable
    ) throws(CheckFailure) {
        let isThere = visited.last.map { $0.network == network } ?? false
        if isThere {
            // The request for the network may have come before the client was on it.
            connection.arrive()
        } else {
            try change(to: network, on: connection)
        }
    }

    private mutating func change(
        to network: Network?, on connection: borrowing any ClientConnection & ~Copyable
    ) throws(CheckFailure) {
        defer { remember(NetworkChange(time: max(.zero, MonotonicClock.now() - start), network: network)) }
        do throws(SandboxError) { try held.leave(isDown: network == nil) } catch { throw Self.failure(error) }
        place = try connection.move(to: network)
        if !place.prefixes.isEmpty { prefixes = place.prefixes }
        do throws(SandboxError) { try held.join(place.network, showing: files) } catch { throw Self.failure(error) }
        connection.arrive()
    }

    /// A user can move a client any number of times: the first network and the latest ones are kept.
    private mutating func remember(_ change: NetworkChange) {
        if visited.count == Self.timelineLimit { visited.remove(at: 1) }
        visited.append(change)
    }

    /// Shows the client the new prefixes of its present network's NAT64.
    mutating func tell(_ prefixes: [String]) throws(CheckFailure) {
        place.prefixes = prefixes
        if !prefixes.isEmpty { self.prefixes = prefixes }
        do throws(SandboxError) { try held.show(files) } catch { throw Self.failure(error) }
    }

    private var files: [ShownFile] {
        ClientFiles.nameService(
            resolvers: place.resolvers, hasIPv4Loopback: place.network.hasIPv4Loopback, hostName: hostName(),
            prefixes: place.prefixes)
    }

    private static func failure(_ error: SandboxError) -> CheckFailure {
        CheckFailure("the client's network cannot be changed: \(error)", .machineCannot)
    }
}
