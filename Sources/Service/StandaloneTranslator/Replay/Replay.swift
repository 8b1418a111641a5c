// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import Capture
import NAT64
import Router
import Translation
import Wire

/// Translates a capture: IPv6 packets come from the client's side, IPv4 packets from the world's, and timestamps are the capture's.
///
/// Theory of operation. Before each packet, every timer that is due fires at its own deadline, so its packets are in their place
/// between the others, with their own time stamps. Time does not go back: a packet whose stamp is earlier than an earlier
/// packet's is taken to arrive at that packet's time. Packets are not kept, except those that the translator keeps.
package struct Replay: ~Copyable {
    package struct Options: Sendable {
        /// Time for which the clock runs on after the last packet.
        package var runOn: Duration?
        /// TCP packets larger than the MTU are super-packets (`SuperPackets.swift`).
        package var hasSuperPackets = false

        package init() {}
    }

    private let options: Options
    private let translation: TranslationOptions
    private let ownPackets: OwnPackets?
    private let sink: ReplaySink
    private var router: Router
    private var report: ReplayReport?
    private var now: Instant
    private var summary = ReplaySummary()

    /// Translates the capture at `input` into a new one at `output`, with a line of JSON for each event at `report`.
    package static func run(
        _ configuration: TranslatorConfiguration, from input: String, to output: String, report: String?,
        options: Options = Options()
    ) throws(TranslatorError) -> ReplaySummary {
        try PathTarget.refuseSame([input, output] + (report.map { [$0] } ?? []))
        var source = try ReplaySource(path: input)
        let first = try source.next()
        let sink = try ReplaySink(path: output)
        var replay = try Replay(
            configuration, options, sink, try ReplayReport.open(report), startingAt: first?.instant ?? .zero)
        var next = first
        while let record = next {
            try replay.take(&source.packet, record)
            do throws(TranslatorError) { next = try source.next() } catch {
                // The packets read before stay in the output.
                _ = try replay.finish()
                throw error
            }
        }
        if let runOn = options.runOn { try replay.advance(to: replay.now + runOn) }
        return try replay.finish()
    }

    private init(
        _ configuration: TranslatorConfiguration, _ options: Options, _ sink: ReplaySink,
        _ report: consuming ReplayReport?, startingAt start: Instant
    ) throws(TranslatorError) {
        self.options = options
        self.sink = sink
        translation = configuration.nat64.translation
        ownPackets = OwnPackets(configuration)
        now = start
        self.report = report
        do throws(ConfigurationError) {
            router = try Router(RouterConfiguration(configuration), now: start, output: sink)
        } catch {
            throw TranslatorError(error)
        }
    }

    // MARK: - Events

    private mutating func take(_ packet: inout PacketBuffer, _ record: PacketFileReader.Record) throws(TranslatorError)
    {
        try advance(to: max(now, record.instant))
        summary.packets += 1
        let side = packet.family
        let description = record.isIP ? PacketDescription.of(packet.bytes) : "no IP packet"
        let fate = decide(&packet, from: side)
        try report?.add(.packet(record.number, at: now, from: side, description, fate))
    }

    private mutating func decide(_ packet: inout PacketBuffer, from side: Side?) -> ReplayFate {
        if ownPackets?.contains(packet) == true {
            summary.skipped += 1
            return .skipped("an output of the translator")
        }
        guard let side else {
            router.refuse(packet, from: .client, because: .notIP)
            return .event(sink.takeEvent(), isStored: false)
        }
        if options.hasSuperPackets {
            packet.takeForSuperPacket(ipv6MTU: translation.ipv6MTU, ipv4MTU: translation.ipv4MTU)
        }
        let stored = router.stored
        router.receive(&packet, from: Link(side), at: now)
        return .event(sink.takeEvent(), isStored: router.stored > stored)
    }

    /// Advances the clock, from one deadline to the next.
    private mutating func advance(to time: Instant) throws(TranslatorError) {
        while router.nextDeadline <= time {
            // `distantFuture`, the end of the clock, means that there is no deadline.
            if router.nextDeadline == .distantFuture { break }
            now = max(now, router.nextDeadline)
            sink.now = now
            router.advance(to: now)
            let event = sink.takeEvent()
            if !event.isEmpty { try report?.add(.time(now, event)) }
        }
        now = time
        sink.now = now
    }

    private mutating func finish() throws(TranslatorError) -> ReplaySummary {
        summary.outputs = sink.written
        summary.translator = router.summary
        try report?.add(summary.line)
        try report?.flush()
        try sink.close()
        return summary
    }
}
