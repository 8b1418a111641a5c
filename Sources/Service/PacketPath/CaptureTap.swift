package import Capture
import LinuxNet
import Router
package import Wire

/// Writes every packet of both sides to a packet file.
package final class CaptureTap: PacketTap {
    private var writer: PacketFileWriter?

    package init(_ writer: consuming PacketFileWriter) {
        self.writer = consume writer
    }

    package func record(_ packet: borrowing PacketBuffer) {
        writer?.write(packet.bytes, at: MonotonicClock.wallTime())
    }

    /// To be called when the packet path has ended. Throws where packets are missing from the file.
    package func close() throws(CaptureError) {
        try writer.take()?.close()
    }
}

// The writer is the packet path's until that has ended, and then of the one who closes it.
extension CaptureTap: @unchecked Sendable {}
