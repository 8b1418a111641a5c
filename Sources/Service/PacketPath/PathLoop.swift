import LinuxNet
import Router
import Translation
import Uplink
import Wire

/// What the packet path's thread does: read, let the router receive, write.
final class PathLoop {
    private enum Token: UInt64 {
        case client, world, mailbox
    }

    /// Packets that one TUN may deliver before the other has its turn.
    private static let turn = 64
    /// More than the queue of a TUN holds (500 packets).
    private static let queueLimit = 2048

    let links: PathLinks
    var router: Router
    /// Nil in a hermetic world.
    private let destinations: DestinationBoard?
    private var seenDestinations: UInt64 = 0
    private var mailbox: PathMailbox?
    private var epoll: Epoll
    private var buffer = PacketBuffer()
    private(set) var now = MonotonicClock.now()

    init(_ links: PathLinks, _ router: consuming Router, destinations: DestinationBoard?) throws(SystemError) {
        self.links = links
        self.router = router
        self.destinations = destinations
        epoll = try Epoll()
    }

    func prepare(_ mailbox: PathMailbox) throws(SystemError) {
        try epoll.add(links.descriptor(of: .client), .readable, token: Token.client.rawValue)
        try epoll.add(links.descriptor(of: .world), .readable, token: Token.world.rawValue)
        try epoll.add(mailbox.bell.descriptor, .readable, token: Token.mailbox.rawValue)
        self.mailbox = mailbox
    }

    func run() {
        while true {
            let events = epoll.wait(until: router.nextDeadline)
            now = MonotonicClock.now()
            if let changed = destinations?.changes(since: &seenDestinations) { router.change(to: changed) }
            var isStopping = false
            for index in 0..<events {
                switch Token(rawValue: epoll[index].token) {
                case .client: drain(.client, Self.turn)
                case .world: drain(.world, Self.turn)
                case .mailbox, nil: isStopping = mailbox?.empty(for: self) ?? true
                }
            }
            router.advance(to: now)
            if isStopping { return finish() }
        }
    }

    /// What had been sent before the end is still moved, and seen: on a machine under load it may have waited a while. A
    /// client that goes on sending does not keep us.
    private func finish() {
        drain(.client, Self.queueLimit)
        drain(.world, Self.queueLimit)
    }

    private func drain(_ link: Link, _ limit: Int) {
        for _ in 0..<limit {
            switch links.read(into: &buffer, from: link) {
            case .packet: router.receive(&buffer, from: link, at: now)
            case .malformed: router.refuse(buffer, from: link, because: .unsupportedOffload)
            case .wouldBlock: return
            case .error: return end(link)
            }
        }
    }

    /// A TUN whose interface was deleted gives nothing but an error, and is readable for ever: nobody waits for it any more.
    private func end(_ link: Link) {
        guard links.noteDeleted(link, at: now) else { return }
        do throws(SystemError) { try epoll.remove(links.descriptor(of: link)) } catch {
            preconditionFailure("a TUN that was watched: \(error)")
        }
    }
}
