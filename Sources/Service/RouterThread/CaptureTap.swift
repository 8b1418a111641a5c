// SPDX-License-Identifier: Apache-2.0
package import Capture
import LinuxNet
import Router
package import Wire

/// Writes every packet of both sides to a packet file. The packet path waits for that only as long as its maker allows.
package final class CaptureTap: PacketTap {
    private let file: QueuedPacketFile

    /// Where nobody else has to do with the packet path: a slow disk slows the client down, and no packet is missing.
    package static let ownWait = Duration.milliseconds(900)

    /// - Parameters:
    ///   - name: what to call the file in errors.
    ///   - wait: for how much of each second the packet path may wait for the file system.
    package init(
        _ writer: consuming PacketFileWriter, name: String, waiting wait: Duration = ownWait
    ) throws(CaptureError) {
        file = try QueuedPacketFile(writer, name: name, waiting: wait)
    }

    package func record(_ packet: borrowing PacketBuffer) {
        file.write(packet.bytes, at: MonotonicClock.wallTime())
    }

    /// To be called when the packet path has ended. Throws where packets are missing from the file.
    package func close() throws(CaptureError) { try file.close() }

    /// After a `close` that threw: waits until the file's thread has ended, however long its file system takes.
    package func awaitEnd() { file.awaitEnd() }
}
