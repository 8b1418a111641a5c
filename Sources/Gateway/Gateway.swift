public import NAT64
public import Translation
public import Wire

/// A translator as it was configured, with or without state, between two links that may be faulty.
///
/// It keeps no time: the caller says what time it is, and time does not go back. One task at a time may use it.
public final class Gateway {
    // One of the two.
    private var nat64: NAT64?
    private var stateless: StatelessGateway?
    private let links: FaultyLinks

    public init(
        _ configuration: GatewayConfiguration, now: Instant, output: any PacketOutput
    ) throws(ConfigurationError) {
        links = FaultyLinks(configuration.faults, output: output)
        switch configuration.mode {
        case .stateful: nat64 = try NAT64(configuration.nat64, seed: configuration.seed, now: now)
        case .stateless: stateless = StatelessGateway(configuration, now: now)
        }
    }

    /// Takes a packet from `side`. The buffer's contents are the gateway's to change; afterwards they mean nothing.
    public func receive(_ packet: inout PacketBuffer, from side: Side, at time: Instant) {
        if links.faults.swallow(packet, on: side) {
            expire(at: time)
            links.refuse(packet, from: side, because: .faultBlackHole)
            return
        }
        nat64?.receive(&packet, from: side, at: time, output: links)
        stateless?.receive(&packet, from: side, at: time, output: links)
    }

    /// Counts and reports a packet that is not even offered to the translator.
    public func refuse(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        links.refuse(packet, from: side, because: reason)
    }

    /// The earliest time at which something may expire; `.distantFuture` when nothing will.
    public var nextDeadline: Instant { nat64?.nextDeadline ?? .distantFuture }

    /// Lets everything expire whose time is over at `time`.
    public func expire(at time: Instant) {
        nat64?.expire(at: time, output: links)
    }

    /// Packets that had to wait so far.
    var stored: UInt64 { nat64?.counters.stored ?? 0 }

    public var counters: Counters {
        var counters = nat64?.counters ?? stateless?.counters ?? Counters()
        counters.drops.add(links.drops)
        return counters
    }
}
