// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Router
import Topology
import Translation
import Uplink
import Wire

/// The state of the packet path's thread: it reads, lets the router receive, and writes.
struct PathLoop: ~Copyable {
    private enum Token: UInt64 {
        case client, world
    }

    /// Packets that one link may deliver before the other has its turn.
    private static let turn = 64
    /// More than the queue of a link holds (500 packets of a TUN).
    private static let queueLimit = 2048

    let links: PathLinks
    var router: Router
    /// `nil` in a hermetic world.
    private let destinations: DestinationBoard?
    private var seenDestinations: UInt64 = 0
    private let interests: InterestList
    private var buffer = PacketBuffer()
    private(set) var now = MonotonicClock.now()
    /// The client's share of the processor, in this thread; `nil` if there are no other clients to yield to.
    private var share: TimeShare?
    /// Until then nothing is read from a client that has used more than its share.
    private var rest: Instant?
    private var yields = false

    /// Enough to transfer some 30 MB. The queue of the client's link holds what the client sends during a rest of milliseconds.
    private static let advance = Duration.milliseconds(20)

    init(
        _ links: PathLinks, _ router: consuming Router, destinations: DestinationBoard?, isShared: Bool,
        _ interests: InterestList
    ) throws(SystemError) {
        try interests.add(links.descriptor(of: .client), .readable, token: Token.client.rawValue)
        try interests.add(links.descriptor(of: .world), .readable, token: Token.world.rawValue)
        self.links = links
        self.router = router
        self.destinations = destinations
        self.interests = interests
        share = isShared ? TimeShare(advance: Self.advance) : nil
    }

    private mutating func drain(_ link: Link, _ limit: Int) {
        defer { router.flush() }
        for _ in 0..<limit {
            switch links.read(into: &buffer, from: link) {
            case .packet: router.receive(&buffer, from: link, at: now)
            case .malformed: router.refuse(buffer, from: link, because: .unsupportedOffload)
            case .wouldBlock: return
            case .deleted, .error: return end(link)
            }
        }
    }

    /// One turn of a link. The client causes the packets back to it, so they count like those that it sends.
    private mutating func takeTurn(_ link: Link) {
        guard share != nil else { return drain(link, Self.turn) }
        let begin = ThreadClock.now()
        drain(link, Self.turn)
        guard let end = share?.rest(after: ThreadClock.now() - begin, at: now) else { return }
        rest = end
        watchClient([])
        if yields { return }
        WorkerThread.yieldToOthers()
        yields = true
    }

    /// While the client is not watched, its packets wait in the kernel's queue of the link.
    private func watchClient(_ readiness: Epoll.Readiness) {
        // Modifying the interest in a descriptor fails only if it is not registered.
        try? interests.modify(links.descriptor(of: .client), readiness, token: Token.client.rawValue)
    }

    /// Stops watching a link whose interface was deleted: it returns only errors, and a TUN is readable for ever.
    private func end(_ link: Link) {
        guard links.noteDeleted(link, at: now) else { return }
        do throws(SystemError) { try interests.remove(links.descriptor(of: link)) } catch {
            preconditionFailure("a link that was watched: \(error)")
        }
    }
}

extension PathLoop: LoopState {
    var nextDeadline: Instant? { .earlier(router.nextDeadline, rest) }

    mutating func begin(at now: Instant) {
        self.now = now
        if let changed = destinations?.changes(since: &seenDestinations) { router.change(to: changed) }
    }

    mutating func handle(_ event: Epoll.Event) {
        switch Token(rawValue: event.token) {
        case .client: takeTurn(.client)
        case .world: takeTurn(.world)
        case nil: break
        }
    }

    mutating func advance() {
        if let end = rest, end <= now {
            rest = nil
            watchClient(.readable)
        }
        router.advance(to: now)
        router.flush()
        for link in links.foundDeleted { end(link) }
    }

    /// Moves, and logs, packets that were sent before the end: on a machine under load they may have waited a while. Limited, so that
    /// a client that goes on sending does not delay the end.
    mutating func finish() {
        drain(.client, Self.queueLimit)
        drain(.world, Self.queueLimit)
    }
}
