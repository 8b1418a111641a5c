// SPDX-License-Identifier: Apache-2.0
import Capture
import Glibc
import LinuxNet

/// The standard input and output as captures.
enum StandardStream {
    /// The name of both on the command line.
    static let name = "-"

    static func reader() throws(TranslatorError) -> PacketFileReader {
        let name = "standard input"
        let file = try duplicate(STDIN_FILENO, name)
        do throws(CaptureError) { return try PacketFileReader.read(file, name: name) } catch {
            throw TranslatorError(error)
        }
    }

    static func writer() throws(TranslatorError) -> PacketFileWriter {
        let name = "standard output"
        if isatty(STDOUT_FILENO) == 1 {
            throw TranslatorError(
                path: name, reason: "a terminal shows no packets: redirect it, to tcpdump -r - for one")
        }
        let file = try duplicate(STDOUT_FILENO, name)
        do throws(CaptureError) { return try PacketFileWriter(file: file, name: name) } catch {
            throw TranslatorError(error)
        }
    }

    /// The stream itself stays open.
    private static func duplicate(_ number: Int32, _ name: String) throws(TranslatorError) -> Descriptor {
        let copy = dup(number)
        guard copy >= 0 else { throw TranslatorError(path: name, reason: "\(Errno(errno))") }
        return Descriptor(owning: copy)
    }
}
