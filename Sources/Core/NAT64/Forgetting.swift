import Wire

extension NAT64 {
    /// Forgets all sessions and what was made for them, and tells nobody: as one that has started again, or that another has taken over
    /// from. Static entries of the BIB stay, and so do counters.
    package mutating func forgetSessions() {
        let hash = KeyedHash(from: &random)
        hosts = HostTable(limit: Limits.maximum, hash: hash)
        resetTables(hash)
        storedSYNs = StoredSYNs(limit: configuration.limits.storedSYNs)
        fragments = FragmentTable(
            limit: configuration.limits.fragmentedDatagrams, lifetime: Interval(configuration.lifetimes.fragments),
            hash: hash)
        fragmentStore = PacketStore(capacity: configuration.limits.fragmentOctets)
        insertStaticBindings()
    }
}
