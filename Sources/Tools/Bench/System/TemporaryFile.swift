import Glibc
import LinuxNet

/// A file that goes with this value.
struct TemporaryFile: ~Copyable {
    let path: String
    private let file: Descriptor

    init(_ contents: String = "") throws(BenchFailure) {
        var template = Array("/tmp/ipv6check-bench.XXXXXX".utf8CString)
        let number = unsafe template.withUnsafeMutableBufferPointer { unsafe mkstemp($0.baseAddress!) }
        if number < 0 { throw BenchFailure("no file can be made in /tmp") }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = unsafe write(number, contents, contents.utf8.count)
        file = Descriptor(owning: number)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var descriptor: Int32 { file.number }

    var contents: String {
        let size = max(0, Int(lseek(file.number, 0, SEEK_END)))
        let octets = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            unsafe count = max(0, pread(file.number, buffer.baseAddress, buffer.count, 0))
        }
        return String(decoding: octets, as: UTF8.self)
    }

    deinit { _ = unsafe unlink(path) }
}
