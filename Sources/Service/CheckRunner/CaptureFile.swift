// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Glibc
import LinuxNet
import Text

/// The file of `--pcap`: every packet of both sides. Further runs have files of their own beside it.
struct CaptureFile {
    let path: String

    /// `nil` without a path.
    /// - Parameter label: names a further run, such as `dual-stack`; `nil` is the first run, whose file has the path unchanged. There is
    ///   none of a further run beside a pipe or a device.
    init?(_ path: String?, label: String?) {
        guard let path, label == nil || Self.isOrdinary(path) else { return nil }
        self.path = label.map { Self.path(path, labelled: $0) } ?? path
    }

    private static func isOrdinary(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Creates the file, for the process that writes into it.
    func descriptor() throws(CheckFailure) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor.create(path)
        } catch {
            throw Self.failure("\(path): \(error.errno)")
        }
    }

    /// `both.pcap` becomes `both.dual-stack.pcap`.
    static func path(_ path: String, labelled label: String) -> String {
        let name = baseName(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path).\(label)" }
        return "\(path.dropLast(name.count))\(name[..<dot]).\(label)\(name[dot...])"
    }

    /// Maximum length of a file's name in octets (NAME_MAX).
    private static let nameLimit = 255

    /// Checks that all files' names are short enough, before anything runs: the names of networks that follow each other may be long.
    static func check(_ path: String?, labels: [String]) throws(CheckFailure) {
        guard let path else { return }
        for label in labels {
            let length = baseName(Self.path(path, labelled: label)).utf8.count
            if length <= nameLimit { continue }
            throw CheckFailure(
                "--pcap \(path): the name of a capture on \(label.prefix(30))… has \(length) octets, and that of a file \(nameLimit) at "
                    + "most; give a shorter one, or fewer networks that follow each other", .usage)
        }
    }

    /// The failure for `reason`, which the process that writes the file reports without knowing its path.
    func failure(ofWriter reason: String) -> CheckFailure {
        let words =
            reason.hasPrefix(AttachConversation.captureName)
            ? path + reason.dropFirst(AttachConversation.captureName.count) : reason
        return Self.failure(words)
    }

    private static func failure(_ error: String) -> CheckFailure {
        CheckFailure("--pcap \(error); give a file that can be written", .usage)
    }
}
