import Capture
import Findings
import Glibc
import LinuxNet

/// The file of `--pcap`: every packet of both sides. Further runs have files of their own beside it.
struct CaptureFile {
    let path: String

    /// Nil without a path.
    /// - Parameter isControl: whether another run has had the path for itself.
    init?(_ path: String?, network: Network, isControl: Bool) {
        guard let path else { return nil }
        self.path = isControl ? Self.controlPath(path, network) : path
    }

    /// To write into it here.
    func writer() throws(CheckFailure) -> PacketFileWriter {
        do throws(CaptureError) {
            return try PacketFileWriter(path: path)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    /// To have another process write into it.
    func descriptor() throws(CheckFailure) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor.create(path)
        } catch {
            throw Self.failure("\(path): \(error.errno)")
        }
    }

    /// `both.pcap` becomes `both.dual-stack.pcap`.
    static func controlPath(_ path: String, _ network: Network) -> String {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path).\(network.rawValue)" }
        return "\(path[..<dot]).\(network.rawValue)\(path[dot...])"
    }

    static func failure(_ error: String) -> CheckFailure {
        CheckFailure("--pcap \(error); give a file that can be written", .usage)
    }
}
