// SPDX-License-Identifier: Apache-2.0
import Capture
import Router
import Translation
import Wire

/// Takes what leaves the translator during a replay, and remembers what one event has caused.
final class ReplaySink: RouterOutput {
    /// What has come of a packet, or of time.
    struct Event {
        /// The numbers of the packets in the output file.
        var outputs: [Int] = []
        var drops: [DropReason] = []
        /// The first packet that it was about.
        var description: String?

        var isEmpty: Bool { outputs.isEmpty && drops.isEmpty }
    }

    /// When what happens now happens.
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

    /// What has come since the last call.
    func takeEvent() -> Event {
        defer { event = Event() }
        return event
    }

    /// Says whether all packets are in the file.
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
