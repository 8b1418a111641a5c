// SPDX-License-Identifier: Apache-2.0
import AttachServer
import DNS64
import DNSServer
import Evidence
import LinuxNet
import NAT64
import Router
import Synchronization
import Topology
import Translation
import Wire

@testable import Daemon
@testable import RouterThread
@testable import Simulator

/// A simulator without links: what is connected is a fake as well.
final class FakeNetworks: ChangeableNetworks {
    let places: Int
    let linkPlan = LinkPlan()
    /// Those that are told next; the last stay.
    private let toldPrefixes = Mutex<[[Pref64]]>([[.wellKnown]])
    let dns: DNSService
    private let changedTo = Mutex<Pref64?>(nil)

    /// The DNS server listens nowhere, unless told otherwise.
    init(places: Int = 2, dns: DNSService? = nil) throws {
        self.places = places
        self.dns = try dns ?? DNSService(.serving(), listeningOn: [])
    }

    var prefixes: [Pref64] { toldPrefixes.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }

    /// As if they changed behind the first time that they are told.
    func change(to new: Pref64, from old: Pref64) { toldPrefixes.withLock { $0 = [[old], [new]] } }

    /// The prefix that was asked for last.
    var newPrefix: Pref64? { changedTo.withLock { $0 } }

    func join(
        _ device: consuming LinkDevice, to network: Network, at place: ClientSlot, over links: LinkPlan,
        capture: (any PacketTap)?
    ) -> any AttachedConnection {
        FakeConnection(place: place, network: network)
    }

    func objection(to pref64: Pref64) -> String? {
        pref64 == Self.unwanted ? "that one is taken" : nil
    }

    static let unwanted = try! Pref64("2001:db8:64::/96")

    func change(to pref64: Pref64, for connections: () -> [any AttachedConnection]) {
        changedTo.withLock { $0 = pref64 }
    }
}

/// A client whose counters a test sets.
final class FakeConnection: AttachedConnection {
    let place: ClientSlot
    private let state: Mutex<State>

    private struct State {
        var network: Network?
        var drops: [Drop] = []
        var hasEnded = false
        var isStuck = false
        var questions = 0
    }

    init(place: ClientSlot = .first, network: Network = .nat64) {
        self.place = place
        state = Mutex(State(network: network))
    }

    var network: Network? { state.withLock { $0.network } }

    func move(to network: Network?) { state.withLock { $0.network = network } }

    func wish(_ wishes: LinkWishes) throws(LinkWishes.Mistake) { _ = try LinkPlan().with(wishes) }

    func moving(to network: Network?) -> PendingReply<Bool> {
        move(to: network)
        let reply = Reply<Bool>()
        reply.give(true)
        return PendingReply(reply)
    }

    func drop(_ reason: DropReason, _ count: UInt64) {
        let drop = Drop(reason: reason, count: count, example: "a packet")
        state.withLock { state in
            state.drops.removeAll { $0.reason == reason }
            state.drops.append(drop)
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// From now on no question is answered, or those to come are again.
    var isStuck: Bool {
        get { state.withLock { $0.isStuck } }
        set { state.withLock { $0.isStuck = newValue } }
    }

    /// How many snapshots were asked for.
    var questions: Int { state.withLock { $0.questions } }

    var now: PathSnapshot {
        PathSnapshot(
            traffic: LinkTraffic(), drops: state.withLock { $0.drops }, counters: nil, sessions: 3, bindings: 2)
    }

    private func answered<Answer>(_ answer: Answer) -> PendingReply<Answer> {
        if hasEnded { return PendingReply(failed: .notRunning("packets")) }
        let reply = Reply<Answer>()
        if !isStuck { reply.give(answer) }
        return PendingReply(reply)
    }

    func snapshot() -> PendingReply<PathSnapshot> {
        state.withLock { $0.questions += 1 }
        return answered(now)
    }

    func sessions(limit: Int) -> PendingReply<TableExcerpt<SessionReport>> {
        answered(TableExcerpt(entries: [], omitted: 3))
    }

    func bindings(limit: Int) -> PendingReply<TableExcerpt<BindingReport>> {
        answered(TableExcerpt(entries: [], omitted: 2))
    }

    func forgetSessions() -> PendingReply<Int> { answered(3) }

    func requestCut() { cut() }

    func cut() { state.withLock { $0.hasEnded = true } }

    func end() -> NetworkEvidence {
        cut()
        return NetworkEvidence()
    }
}

extension ResolverConfiguration {
    /// Knows nothing, serves everybody, and does that wrong.
    static func serving(_ faults: [Fault] = []) -> ResolverConfiguration {
        var configuration = ResolverConfiguration(
            store: RecordStore([]), networks: [ServedNetwork(policy: .plain)])
        configuration.faults = faults
        return configuration
    }
}
