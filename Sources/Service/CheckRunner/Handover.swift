// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Sandbox
import Simulator
import Topology
import Wire

/// Takes a client from network to network while it runs, as its schedule says.
///
/// Theory of operation. At each change the client first loses what it has: routes, addresses, and where there is no network next, its link.
/// Then the far side gets the next network ready, and at last the client is given its side of that. Whatever the client sends
/// meanwhile goes nowhere, as between two real networks.
struct Handover: ~Copyable {
    private var held: HeldNetwork
    private var rest: ArraySlice<NetworkSchedule.Phase>
    private let start: Instant
    /// When the present phase ends; `nil` if it is the last.
    private(set) var next: Instant?
    /// Where the client was so far, the present network included.
    private var visited: [NetworkChange]
    /// Where it is; between two networks, where it was.
    private var place: ReservedSlot
    /// The Pref64s that it last had.
    private(set) var prefixes: [String]

    /// Where the client was; empty where it was on one network all the time.
    var timeline: [NetworkChange] { visited.count > 1 ? visited : [] }

    /// The client is on the first network of its schedule, and begins at `start`. A schedule that begins without a network has the client
    /// lose it when this is advanced for the first time, before it begins.
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

    /// Has the client on another network, unless it is there already, until its schedule says otherwise.
    mutating func move(
        to network: Network?, on connection: borrowing any ClientConnection & ~Copyable
    ) throws(CheckFailure) {
        let isThere = visited.last.map { $0.network == network } ?? false
        if isThere {
            // Who asked for it may have done so before it was.
            connection.arrive()
        } else {
            try change(to: network, on: connection)
        }
    }

    private mutating func change(
        to network: Network?, on connection: borrowing any ClientConnection & ~Copyable
    ) throws(CheckFailure) {
        defer { visited.append(NetworkChange(time: max(.zero, MonotonicClock.now() - start), network: network)) }
        do throws(SandboxError) { try held.leave(isDown: network == nil) } catch { throw Self.failure(error) }
        place = try connection.move(to: network)
        if !place.prefixes.isEmpty { prefixes = place.prefixes }
        do throws(SandboxError) { try held.join(place.network, showing: files) } catch { throw Self.failure(error) }
        connection.arrive()
    }

    /// The NAT64 of the network where the client is has other prefixes.
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
