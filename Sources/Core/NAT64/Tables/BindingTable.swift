// SPDX-License-Identifier: Apache-2.0
import Wire

/// The BIB of one protocol (RFC 6146 §3.1): "an IPv6 transport address or IPv4 transport address appears in at most one entry".
///
/// Theory of operation. An entry is *dynamic* while it has sessions and *permanent* if it was configured. With its last session a dynamic
/// entry is removed, or *held* if a hold-off time is set: then no other host gets its IPv4 transport address (RFC 6888 REQ-8), packets from
/// the IPv4 side do not find it, and a packet from the same IPv6 transport address resumes it. Held entries expire in the order in which
/// they became held.
struct BindingTable: ~Copyable {
    private var pool: EntryPool<Binding>
    private var byHost = HashIndex()
    private var byMapped = HashIndex()
    private var oldestHeld = noEntry
    private var newestHeld = noEntry
    private let hash: KeyedHash

    init(limit: Int, hash: KeyedHash) {
        pool = EntryPool(limit: limit)
        self.hash = hash
    }

    var count: Int { pool.count }
    var isFull: Bool { pool.isFull }
    var footprint: Int { pool.footprint + byHost.footprint + byMapped.footprint }

    @inline(always)
    subscript(_ number: UInt32) -> Binding {
        _read { yield pool[number] }
        _modify { yield &pool[number] }
    }

    func forEach(_ body: (UInt32, Binding) -> Void) {
        pool.forEach(body)
    }

    // MARK: - Look-ups

    private func hostHash(_ host: TransportAddress6) -> UInt32 {
        hash(host.address, UInt64(host.port))
    }

    private func mappedHash(_ mapped: TransportAddress4) -> UInt32 {
        hash(UInt64(mapped.address.bits), UInt64(mapped.port))
    }

    /// The entry of an IPv6 transport address, even if it is held.
    func find(host: TransportAddress6) -> UInt32? {
        byHost.find(hostHash(host)) { pool[$0].host == host.address && pool[$0].hostPort == host.port }
    }

    /// The entry of an IPv4 transport address, unless it is held.
    func find(mapped: TransportAddress4) -> UInt32? {
        let number = byMapped.find(mappedHash(mapped)) {
            pool[$0].mapped == mapped.address && pool[$0].mappedPort == mapped.port
        }
        guard let number, pool[number].life != .held else { return nil }
        return number
    }

    // MARK: - Life

    /// `nil` if the table is full. Neither transport address may be in the table yet.
    mutating func insert(
        _ host: TransportAddress6, mapped: TransportAddress4, hostNumber: UInt32, life: Binding.Life
    ) -> UInt32? {
        let binding = Binding(
            host: host.address, mapped: mapped.address, hostPort: host.port, mappedPort: mapped.port, life: life,
            hostNumber: hostNumber)
        guard let number = pool.allocate(binding) else { return nil }
        byHost.insert(number, hash: hostHash(host))
        byMapped.insert(number, hash: mappedHash(mapped))
        return number
    }

    mutating func remove(_ number: UInt32) {
        byHost.remove(number, hash: hostHash(pool[number].hostTransport))
        byMapped.remove(number, hash: mappedHash(pool[number].mappedTransport))
        pool.release(number)
    }

    // MARK: - Hold-off

    mutating func hold(_ number: UInt32, until time: Instant) {
        pool[number].life = .held
        pool[number].heldUntil = time
        pool[number].previous = newestHeld
        pool[number].next = noEntry
        if newestHeld == noEntry { oldestHeld = number } else { pool[newestHeld].next = number }
        newestHeld = number
    }

    /// Resumes a held entry.
    mutating func resume(_ number: UInt32) {
        let (previous, next) = (pool[number].previous, pool[number].next)
        if previous == noEntry { oldestHeld = next } else { pool[previous].next = next }
        if next == noEntry { newestHeld = previous } else { pool[next].previous = previous }
        pool[number].life = .dynamic
    }

    /// A held entry whose hold-off time has ended at `now`.
    func nextReleasable(at now: Instant) -> UInt32? {
        oldestHeld != noEntry && pool[oldestHeld].heldUntil <= now ? oldestHeld : nil
    }
}
