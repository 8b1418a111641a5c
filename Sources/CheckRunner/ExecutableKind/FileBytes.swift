import Glibc
import LinuxNet
import Sandbox

/// The octets of a file, a piece at a time; whatever the file says of itself, no more is read than is asked for.
struct FileBytes: ~Copyable {
    private let file: Descriptor

    /// Nil where the file cannot be read by this user.
    init?(path: OSString) {
        let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        file = Descriptor(owning: number)
    }

    /// Exactly `count` octets at `offset`; nil where the file has fewer.
    borrowing func read(_ count: Int, at offset: UInt64) -> [UInt8]? {
        let octets = read(upTo: count, at: offset)
        return octets.count == count ? octets : nil
    }

    /// As many octets at `offset` as there are, `count` at most.
    borrowing func read(upTo count: Int, at offset: UInt64) -> [UInt8] {
        guard let start = off_t(exactly: offset), count > 0 else { return [] }
        var octets = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (position, overflow) = start.addingReportingOverflow(off_t(filled))
            if overflow { break }
            let result = unsafe octets.withUnsafeMutableBytes {
                unsafe pread(file.number, $0.baseAddress! + filled, count - filled, position)
            }
            if result < 0 && errno == EINTR { continue }
            if result <= 0 { break }
            filled += result
        }
        return Array(octets.prefix(filled))
    }
}
