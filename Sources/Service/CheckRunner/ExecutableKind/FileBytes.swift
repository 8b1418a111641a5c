import Glibc
import LinuxNet
import Sandbox

/// The octets of a file, a piece at a time; whatever the file says of itself, no more is read than is asked for.
struct FileBytes: ~Copyable {
    private let file: Descriptor
    private static let blockSize = 65_536

    /// `nil` if the file cannot be read by this user.
    init?(path: OSString) {
        let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        file = Descriptor(owning: number)
    }

    /// Whose it is, and who may write to it; `nil` if the kernel does not say.
    borrowing func status() -> stat? {
        var status = stat()
        return unsafe fstat(file.number, &status) == 0 ? status : nil
    }

    /// Exactly `count` octets at `offset`; `nil` if the file has fewer.
    borrowing func read(_ count: Int, at offset: UInt64) -> [UInt8]? {
        let octets = read(upTo: count, at: offset)
        return octets.count == count ? octets : nil
    }

    /// As many octets at `offset` as there are, `count` at most.
    borrowing func read(upTo count: Int, at offset: UInt64) -> [UInt8] {
        guard let start = off_t(exactly: offset), count > 0 else { return [] }
        // A block at a time: `count` may be a limit that the file comes nowhere near.
        var block = [UInt8](repeating: 0, count: min(count, Self.blockSize))
        var octets: [UInt8] = []
        while octets.count < count {
            let (position, overflow) = start.addingReportingOverflow(off_t(octets.count))
            if overflow { break }
            let wanted = min(block.count, count - octets.count)
            let result = unsafe block.withUnsafeMutableBytes {
                unsafe pread(file.number, $0.baseAddress!, wanted, position)
            }
            if result < 0 && errno == EINTR { continue }
            if result <= 0 { break }
            octets += block.prefix(result)
        }
        return octets
    }
}
