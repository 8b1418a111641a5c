import Capture
import Wire

/// The capture that is replayed.
struct ReplaySource: ~Copyable {
    private var reader: PacketFileReader
    /// The packet of the last record.
    var packet = PacketBuffer()

    init(path: String) throws(GatewayError) {
        if path == StandardStream.name {
            reader = try StandardStream.reader()
            return
        }
        do throws(CaptureError) { reader = try PacketFileReader.open(path) } catch { throw GatewayError(error) }
    }

    /// Nil at the end.
    mutating func next() throws(GatewayError) -> PacketFileReader.Record? {
        do throws(CaptureError) { return try reader.next(into: &packet) } catch { throw GatewayError(error) }
    }
}

extension PacketFileReader.Record {
    /// Nothing happened before 1970.
    var instant: Instant { Instant(nanoseconds: max(0, time)) }
}
