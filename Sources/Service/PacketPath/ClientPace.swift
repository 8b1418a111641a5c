import Wire

/// Tells a client that floods from others: by the packets that it sends within a second.
///
/// The path of such a client gets a sixtieth of another's share where processors are short. What is lost by that is its own, in the
/// queue of its own link.
struct ClientPace {
    /// A super-packet counts as one: a transfer of many megabytes a second stays below.
    static let limit = 1000

    private var begin = Instant.zero
    private var packets = 0

    /// Counts packets.
    /// - Returns: whether these were too many.
    mutating func isFlood(_ count: Int, at now: Instant) -> Bool {
        if now - begin >= .seconds(1) { (begin, packets) = (now, 0) }
        packets += count
        return packets > Self.limit
    }
}
