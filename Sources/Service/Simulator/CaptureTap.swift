public import Capture
import LinuxNet
public import Wire

/// Writes every packet of both sides to a packet file.
public final class CaptureTap: PacketTap {
    private var writer: PacketFileWriter?

    public init(_ writer: consuming PacketFileWriter) {
        self.writer = consume writer
    }

    public func record(_ packet: borrowing PacketBuffer) {
        writer?.write(packet.bytes, at: MonotonicClock.wallTime())
    }

    /// To be called when the packet path has ended. Throws where packets are missing from the file.
    public func close() throws(CaptureError) {
        try writer.take()?.close()
    }
}
