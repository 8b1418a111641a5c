// SPDX-License-Identifier: Apache-2.0
import Wire

/// The session table of one protocol (RFC 6146 §3.2), with look-ups from either side and timers.
///
/// Theory of operation. A session is inserted once, with its deadline. When that has passed, `nextExpired` returns it, and the
/// caller either gives it a new deadline or removes it; `remove` also removes one before its deadline. In between `refresh` postpones the
/// deadline without touching the timer, and `reschedule` may bring it forward.
struct SessionTable: ~Copyable {
    private var pool: EntryPool<Session>
    private var byHost = HashIndex()
    private var byMapped = HashIndex()
    private var timer: TimerWheel
    private let hash: KeyedHash

    init(limit: Int, shortestLifetime: Duration, hash: KeyedHash, now: Instant) {
        pool = EntryPool(limit: limit)
        timer = TimerWheel(shortestLifetime: shortestLifetime, now: now)
        self.hash = hash
    }

    var count: Int { pool.count }
    var isFull: Bool { pool.isFull }
    var footprint: Int { pool.footprint + byHost.footprint + byMapped.footprint }
    /// No session expires before this time; a later call may return a later time.
    var nextDeadline: Instant { timer.nextEvent }

    @inline(always)
    subscript(_ number: UInt32) -> Session {
        mutating get { pool[number] }
        _modify { yield &pool[number] }
    }

    func forEach(_ body: (UInt32, Session) -> Void) {
        pool.forEach(body)
    }

    // MARK: - Look-ups

    @inline(always)
    private func hostHash(_ source: TransportAddress6, _ remote: TransportAddress4) -> UInt32 {
        hash(
            source.address,
            UInt64(remote.address.bits) << 32 | UInt64(source.port) << 16 | UInt64(remote.port))
    }

    @inline(always)
    private func mappedHash(_ mapped: TransportAddress4, _ remote: TransportAddress4) -> UInt32 {
        hash(
            UInt64(mapped.address.bits) << 32 | UInt64(remote.address.bits),
            UInt64(mapped.port) << 16 | UInt64(remote.port))
    }

    /// The session of a packet from the IPv6 side. `remote` is the destination on the IPv4 side.
    @inline(always)
    mutating func find(from source: TransportAddress6, to remote: TransportAddress4) -> UInt32? {
        byHost.find(hostHash(source, remote)) { number in
            let session = pool[number]
            return session.host == source.address && session.hostPort == source.port
                && session.remote == remote.address && session.remotePort == remote.port
        }
    }

    /// The session of a packet from the IPv4 side.
    @inline(always)
    mutating func find(from remote: TransportAddress4, to mapped: TransportAddress4) -> UInt32? {
        byMapped.find(mappedHash(mapped, remote)) { number in
            let session = pool[number]
            return session.mapped == mapped.address && session.mappedPort == mapped.port
                && session.remote == remote.address && session.remotePort == remote.port
        }
    }

    // MARK: - Life

    /// `nil` if the table is full. A session without a BIB entry can be found from the IPv4 side only.
    mutating func insert(_ session: Session, deadline: Instant, at now: Instant) -> UInt32? {
        guard let number = pool.allocate(session) else { return nil }
        if session.binding != noEntry {
            byHost.insert(number, hash: hostHash(session.hostTransport, session.remoteTransport))
        }
        byMapped.insert(number, hash: mappedHash(session.mappedTransport, session.remoteTransport))
        pool[number].deadline = deadline
        timer.schedule(number, at: now, in: &pool)
        return number
    }

    /// Removes a session that `nextExpired` returned.
    mutating func removeExpired(_ number: UInt32) {
        let session = pool[number]
        if session.binding != noEntry {
            byHost.remove(number, hash: hostHash(session.hostTransport, session.remoteTransport))
        }
        byMapped.remove(number, hash: mappedHash(session.mappedTransport, session.remoteTransport))
        pool.release(number)
    }

    /// Removes a session before its deadline.
    mutating func remove(_ number: UInt32) {
        timer.cancel(number, in: &pool)
        removeExpired(number)
    }

    // MARK: - Counting

    @inline(always)
    mutating func countFromIPv6(_ number: UInt32, octets: Int) {
        pool[number].packetsFromIPv6 &+= 1
        pool[number].octetsFromIPv6 &+= UInt64(octets)
    }

    @inline(always)
    mutating func countFromIPv4(_ number: UInt32, octets: Int) {
        pool[number].packetsFromIPv4 &+= 1
        pool[number].octetsFromIPv4 &+= UInt64(octets)
    }

    // MARK: - Time

    /// Postpones the deadline. It costs one store: the timer notices at the old deadline.
    @inline(always)
    mutating func refresh(_ number: UInt32, deadline: Instant) {
        pool[number].deadline = deadline
    }

    /// Sets a deadline that may be earlier than the current one.
    mutating func reschedule(_ number: UInt32, deadline: Instant, at now: Instant) {
        timer.cancel(number, in: &pool)
        pool[number].deadline = deadline
        timer.schedule(number, at: now, in: &pool)
    }

    /// Gives a session that `nextExpired` returned another deadline.
    mutating func revive(_ number: UInt32, deadline: Instant, at now: Instant) {
        pool[number].deadline = deadline
        timer.schedule(number, at: now, in: &pool)
    }

    /// The next session whose deadline is at `now` or before, in the order of the deadlines.
    mutating func nextExpired(at now: Instant) -> UInt32? {
        timer.nextExpired(at: now, in: &pool)
    }
}
