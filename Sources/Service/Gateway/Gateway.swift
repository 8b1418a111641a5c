import Topology
package import NAT64
package import Translation
package import Wire

/// A translator as it was configured, with or without state, between two links that may be faulty.
///
/// It keeps no time: the caller says what time it is, and time does not go back. One task at a time may use it.
package final class Gateway {
    // One of the two.
    private var nat64: NAT64?
    private var stateless: StatelessGateway?
    private let links: FaultyLinks
    private var responder: EchoResponder

    package init(
        _ configuration: GatewayConfiguration, now: Instant, output: any PacketOutput
    ) throws(ConfigurationError) {
        links = FaultyLinks(configuration.faults, output: output)
        responder = EchoResponder(configuration.nat64.errors)
        switch configuration.mode {
        case .stateful: nat64 = try NAT64(configuration.nat64, seed: configuration.seed ?? 0, now: now)
        case .stateless: stateless = StatelessGateway(configuration, now: now)
        }
    }

    /// Goes on with another configuration: mappings, prefix, addresses for errors, options and faults. What was counted stays.
    /// Without state nothing is lost by that; a stateful NAT64 would lose its sessions, and refuses.
    func reload(_ configuration: GatewayConfiguration, at time: Instant) throws(GatewayError) {
        guard configuration.mode == .stateless, stateless != nil else {
            throw GatewayError(
                nat64 == nil
                    ? "mode cannot become stateful while the translation runs; start it anew"
                    : "a stateful NAT64 keeps its configuration, for the sake of its sessions; start it anew")
        }
        stateless?.reload(configuration, at: time)
        links.faults = configuration.faults
        responder = EchoResponder(configuration.nat64.errors)
    }

    /// Takes a packet from `side`. The buffer's contents are the gateway's to change; afterwards they mean nothing.
    package func receive(_ packet: inout PacketBuffer, from side: Side, at time: Instant) {
        if let family = packet.family, family != side {
            expire(at: time)
            links.refuse(packet, from: side, because: .wrongFamily)
            return
        }
        if links.faults.swallow(packet, isIPv6: side == .ipv6) {
            expire(at: time)
            links.refuse(packet, from: side, because: .faultBlackHole)
            return
        }
        if responder.answer(&packet, from: side) {
            expire(at: time)
            links.answer(&packet, to: side)
            return
        }
        nat64?.receive(&packet, from: side, at: time, output: links)
        stateless?.receive(&packet, from: side, at: time, output: links)
    }

    /// Counts and reports a packet that is not even offered to the translator.
    package func refuse(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        links.refuse(packet, from: side, because: reason)
    }

    /// The earliest time at which something may expire; `.distantFuture` when nothing will.
    package var nextDeadline: Instant { nat64?.nextDeadline ?? .distantFuture }

    /// Lets everything expire whose time is over at `time`.
    package func expire(at time: Instant) {
        nat64?.expire(at: time, output: links)
    }

    /// Packets that had to wait so far.
    var stored: UInt64 { nat64?.counters.stored ?? 0 }

    package var counters: Counters {
        var counters = nat64?.counters ?? stateless?.counters ?? Counters()
        counters.add(links.counters)
        return counters
    }
}
