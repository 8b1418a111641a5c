import NAT64
import Translation
import Wire

/// The stateless translation as a router: it answers for what it cannot translate, sends the pieces of what is too large, and
/// counts.
struct StatelessGateway: ~Copyable {
    private(set) var counters = Counters()
    private var translator: StatelessTranslator
    private var answersErrors: Bool
    private var builder: ICMPErrorBuilder
    private var bucket: TokenBucket
    /// For packets of our own, which are never larger than a piece.
    private var scratch = PacketBuffer()

    init(_ configuration: GatewayConfiguration, now: Instant) {
        let nat64 = configuration.nat64
        var random = SeededRandom(seed: configuration.seed ?? 0)
        translator = StatelessTranslator(
            StatelessAddresses(configuration), options: nat64.translation, seed: random.next())
        answersErrors = nat64.errors.isEnabled
        builder = ICMPErrorBuilder(
            ipv4Source: nat64.errors.ipv4Source, ipv6Source: nat64.errors.ipv6Source, seed: random.next())
        bucket = TokenBucket(perSecond: nat64.errors.perSecond, burst: nat64.errors.burst, now: now)
    }

    /// Counters and identifications go on where they are.
    mutating func reload(_ configuration: GatewayConfiguration, at time: Instant) {
        let nat64 = configuration.nat64
        translator.addresses = StatelessAddresses(configuration)
        translator.translator.options = nat64.translation
        answersErrors = nat64.errors.isEnabled
        builder.ipv4Source = nat64.errors.ipv4Source
        builder.ipv6Source = nat64.errors.ipv6Source
        bucket = TokenBucket(perSecond: nat64.errors.perSecond, burst: nat64.errors.burst, now: time)
    }

    mutating func receive(
        _ packet: inout PacketBuffer, from side: Side, at time: Instant, output: any PacketOutput
    ) {
        switch side {
        case .ipv6: counters.receivedFromIPv6 &+= 1
        case .ipv4: counters.receivedFromIPv4 &+= 1
        }
        guard packet.count > 0 else { return drop(packet, from: side, because: .truncated, output) }
        guard packet.family != nil else { return drop(packet, from: side, because: .notIP, output) }
        let outcome = translator.translate(&packet)
        if case .dropped = outcome {} else if packet.family == side { counters.hairpinned &+= 1 }
        switch outcome {
        case .translated: emit(&packet, output)
        case .pieces(var pieces): while pieces.next(of: packet, into: &scratch) { emitScratch(output) }
        case .dropped(let reason, let answer):
            drop(packet, from: side, because: reason, output)
            if let answer { send(answer, about: packet, at: time, output) }
        }
    }

    private mutating func emit(_ packet: inout PacketBuffer, _ output: any PacketOutput) {
        guard let side = packet.family else { preconditionFailure("the translation made no IP packet") }
        switch side {
        case .ipv6: counters.emittedToIPv6 &+= 1
        case .ipv4: counters.emittedToIPv4 &+= 1
        }
        output.emit(&packet, to: side)
    }

    private mutating func emitScratch(_ output: any PacketOutput) {
        var packet = PacketBuffer(capacity: 0)
        swap(&packet, &scratch)
        emit(&packet, output)
        swap(&packet, &scratch)
    }

    private mutating func drop(
        _ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason, _ output: any PacketOutput
    ) {
        counters.drops.count(reason)
        output.dropped(packet, from: side, because: reason)
    }

    /// An error goes back to where the packet came from.
    private mutating func send(
        _ answer: ICMPError, about packet: borrowing PacketBuffer, at time: Instant, _ output: any PacketOutput
    ) {
        guard answersErrors, build(answer, about: packet) else { return }
        guard bucket.take(at: time) else {
            counters.errorsSuppressed &+= 1
            return
        }
        counters.errorsSent &+= 1
        emitScratch(output)
    }

    private mutating func build(_ answer: ICMPError, about packet: borrowing PacketBuffer) -> Bool {
        switch answer {
        case .ipv4(let error):
            guard let layout = try? IPv4Layout(packet.bytes) else { return false }
            return builder.build(error, about: packet, layout, into: &scratch)
        case .ipv6(let error):
            guard let layout = try? IPv6Layout(packet.bytes) else { return false }
            return builder.build(error, about: packet, layout, into: &scratch)
        }
    }
}

extension StatelessAddresses {
    fileprivate init(_ configuration: GatewayConfiguration) {
        let nat64 = configuration.nat64
        var errorSources = nat64.errors.borrowedSources
        errorSources.ipv4Pool = configuration.errorSources
        self.init(
            mappings: configuration.mappings, prefix: nat64.prefixes.first, exemptIPv4: nat64.exemptIPv4,
            errorSources: errorSources)
    }
}

extension PacketBuffer {
    /// The side that packets of this version belong to; `nil` for what is none.
    var family: Side? {
        guard count > 0 else { return nil }
        switch bytes[0] >> 4 {
        case 6: return .ipv6
        case 4: return .ipv4
        default: return nil
        }
    }
}
