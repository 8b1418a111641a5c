// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// A file that is deleted with this value.
struct TemporaryFile: ~Copyable {
    let path: String
    private let file: Descriptor

    init(_ contents: String = "") throws(BenchFailure) {
        var template = Array("\(TemporaryFolder.parent)/ipv6check-bench.XXXXXX".utf8CString)
        let number = unsafe template.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
        if number < 0 { throw BenchFailure("no file can be made in \(TemporaryFolder.parent)") }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(SystemError) {
            try Descriptor.writeAll(Array(contents.utf8), to: number, path: name)
        } catch {
            close(number)
            _ = unsafe unlink(name)
            throw BenchFailure("\(error)")
        }
        file = Descriptor(owning: number)
        path = name
    }

    var descriptor: Int32 { file.number }

    var contents: String { String(decoding: (try? MemoryFile.contents(of: file)) ?? [], as: UTF8.self) }

    deinit { _ = unsafe unlink(path) }
}
