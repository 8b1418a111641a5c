// SPDX-License-Identifier: Apache-2.0
import Capture
import Wire

/// The capture that is replayed.
struct ReplaySource: ~Copyable {
    private var reader: PacketFileReader
    /// The packet of the last record.
    var packet = PacketBuffer()

    init(path: String) throws(TranslatorError) {
        if path == StandardStream.name {
            reader = try StandardStream.reader()
            return
        }
        do throws(CaptureError) { reader = try PacketFileReader.open(path) } catch { throw TranslatorError(error) }
    }

    /// `nil` at the end.
    mutating func next() throws(TranslatorError) -> PacketFileReader.Record? {
        do throws(CaptureError) { return try reader.next(into: &packet) } catch { throw TranslatorError(error) }
    }
}

extension PacketFileReader.Record {
    /// Limited to the range from 1970 to the last second that a packet file (pcap) can represent, in 2106. That leaves time for
    /// every lifetime before `Instant` ends, in 2262; a pcapng file may claim later times.
    var instant: Instant { min(max(.zero, Instant(nanoseconds: time)), .latestInPacketFile) }
}

extension Instant {
    static let latestInPacketFile = Instant(nanoseconds: Int64(UInt32.max) * 1_000_000_000)
}
