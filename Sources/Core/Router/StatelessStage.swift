// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// The stateless translation as a stage: it answers packets that it cannot translate, splits those that are too large, and counts.
struct StatelessStage: ~Copyable {
    private(set) var counters = Counters()
    var translator: StatelessTranslator
    /// Whether the source of a packet that is not translated gets an error.
    var answersErrors: Bool
    private let errors: ErrorOrigin
    /// Buffer for packets of the stage's own, which are never larger than a piece.
    private var scratch = PacketBuffer()

    init(_ translator: StatelessTranslator, answersErrors: Bool, errors: ErrorOrigin) {
        self.translator = translator
        self.answersErrors = answersErrors
        self.errors = errors
    }

    mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, from link: Link, at now: Instant, output: RouterLinks
    ) {
        counters.receivedFromIPv6 &+= 1
        finish(&packet, translator.translate(&packet, layout), .ipv6, from: link, at: now, output)
    }

    mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, from link: Link, at now: Instant, output: RouterLinks
    ) {
        counters.receivedFromIPv4 &+= 1
        finish(&packet, translator.translate(&packet, layout), .ipv4, from: link, at: now, output)
    }

    private mutating func finish(
        _ packet: inout PacketBuffer, _ outcome: TranslationOutcome, _ family: IPFamily, from link: Link,
        at now: Instant, _ output: RouterLinks
    ) {
        switch outcome {
        case .translated:
            if packet.family == family { counters.hairpinned &+= 1 }
            emit(&packet, output)
        case .pieces(var pieces):
            if packet.family == family { counters.hairpinned &+= 1 }
            while pieces.next(of: packet, into: &scratch) { emitScratch(output) }
        case .dropped(let reason, let answer):
            counters.drops.count(reason)
            output.drop(packet, from: link, because: reason)
            if let answer { send(answer, about: packet, at: now, output) }
        }
    }

    private mutating func emit(_ packet: inout PacketBuffer, _ output: RouterLinks) {
        guard let side = packet.family else { preconditionFailure("the translation made no IP packet") }
        switch side {
        case .ipv6: counters.emittedToIPv6 &+= 1
        case .ipv4: counters.emittedToIPv4 &+= 1
        }
        output.emit(&packet, to: side, nil)
    }

    private mutating func emitScratch(_ output: RouterLinks) {
        var packet = PacketBuffer(capacity: 0)
        swap(&packet, &scratch)
        emit(&packet, output)
        swap(&packet, &scratch)
    }

    /// Sends an error back to the packet's source.
    private mutating func send(
        _ answer: ICMPError, about packet: borrowing PacketBuffer, at now: Instant, _ output: RouterLinks
    ) {
        if !answersErrors { return }
        switch errors.make(answer, about: packet, into: &scratch, at: now) {
        case .made:
            counters.errorsSent &+= 1
            emitScratch(output)
        case .limited: counters.errorsSuppressed &+= 1
        case .unanswerable: break
        }
    }
}
