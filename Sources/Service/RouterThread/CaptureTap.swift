// SPDX-License-Identifier: Apache-2.0
package import Capture
import LinuxNet
import Router
package import Wire

/// Writes every packet of both sides to a packet file. The packet path waits for the file only as long as its creator allows.
package final class CaptureTap: PacketTap {
    private let file: QueuedPacketFile

    /// For a packet path without other clients: a slow disk slows the client down, and no packet is missing.
    package static let ownWait = Duration.milliseconds(900)

    /// - Parameters:
    ///   - name: the file's name in errors.
    ///   - wait: time of each second for which the packet path may wait for the file system.
    package init(
        _ writer: consuming PacketFileWriter, name: String, waiting wait: Duration = ownWait
    ) throws(CaptureError) {
        file = try QueuedPacketFile(writer, name: name, waiting: wait)
    }

    package func record(_ packet: borrowing PacketBuffer) {
        file.write(packet.bytes, at: MonotonicClock.wallTime())
    }

    /// To be called when the packet path has ended. Throws if packets are missing from the file.
    package func close() throws(CaptureError) { try file.close() }

    /// After a `close` that threw: waits until the file's thread has ended, however long its file system takes.
    package func awaitEnd() { file.awaitEnd() }
}
