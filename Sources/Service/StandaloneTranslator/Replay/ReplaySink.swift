// SPDX-License-Identifier: Apache-2.0
import Capture
import Router
import Translation
import Wire

/// Takes the translator's output during a replay, and records the outcome of each event.
final class ReplaySink: RouterOutput {
    /// The outcome of a packet, or of timers.
    struct Event {
        /// The numbers of the packets in the output file.
        var outputs: [Int] = []
        var drops: [DropReason] = []
        /// The first packet that the event was about.
        var description: String?

        var isEmpty: Bool { outputs.isEmpty && drops.isEmpty }
    }

    /// The time of the current event.
    var now = Instant.zero
    private(set) var written = 0
    private var event = Event()
    private var writer: PacketFileWriter?

    init(path: String) throws(TranslatorError) {
        if path == StandardStream.name {
            writer = try StandardStream.writer()
            return
        }
        do throws(CaptureError) { writer = try PacketFileWriter(path: path) } catch { throw TranslatorError(error) }
    }

    /// The outcome since the last call.
    func takeEvent() -> Event {
        defer { event = Event() }
        return event
    }

    /// Throws unless all packets are in the file.
    func close() throws(TranslatorError) {
        do throws(CaptureError) { try writer.take()?.close() } catch { throw TranslatorError(error) }
    }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        written += 1
        writer?.write(packet.bytes, at: min(now, .latestInPacketFile).nanoseconds)
        event.outputs.append(written)
        describe(packet)
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {
        event.drops.append(reason)
        describe(packet)
    }

    private func describe(_ packet: borrowing PacketBuffer) {
        if event.description == nil { event.description = PacketDescription.of(packet.bytes) }
    }
}
