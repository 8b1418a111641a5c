import Capture
import Findings
import LinuxNet
import Simulator
import Wire

/// The file of `--pcap`: every packet of both sides. The control run has a file of its own beside it.
final class CaptureFile: PacketTap {
    private var writer: PacketFileWriter?

    private init(_ writer: consuming PacketFileWriter) {
        self.writer = consume writer
    }

    /// Nil without a path.
    static func open(_ path: String?, network: Network, isControl: Bool) throws(CheckFailure) -> CaptureFile? {
        guard let path else { return nil }
        do throws(CaptureError) {
            return CaptureFile(try PacketFileWriter(path: isControl ? controlPath(path, network) : path))
        } catch {
            throw Self.failure(error)
        }
    }

    func record(_ packet: borrowing PacketBuffer) {
        writer?.write(packet.bytes, at: MonotonicClock.wallTime())
    }

    func close() throws(CheckFailure) {
        do throws(CaptureError) {
            try writer.take()?.close()
        } catch {
            throw Self.failure(error)
        }
    }

    /// `both.pcap` becomes `both.dual-stack.pcap`.
    static func controlPath(_ path: String, _ network: Network) -> String {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path).\(network.rawValue)" }
        return "\(path[..<dot]).\(network.rawValue)\(path[dot...])"
    }

    private static func failure(_ error: CaptureError) -> CheckFailure {
        CheckFailure("--pcap \(error); give a file that can be written", .usage)
    }
}
