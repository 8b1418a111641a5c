// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox

/// The octets of a file, read in pieces; never more than asked for, whatever sizes the file claims.
struct FileBytes: ~Copyable {
    private let file: Descriptor

    /// `nil` if the file cannot be read by this user.
    init?(path: OSString) {
        let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        file = Descriptor(owning: number)
    }

    /// The file's owner and permissions; `nil` if the kernel does not report them.
    borrowing func status() -> stat? { file.status }

    /// Exactly `count` octets at `offset`; `nil` if the file has fewer.
    borrowing func read(_ count: Int, at offset: UInt64) -> [UInt8]? {
        let octets = read(upTo: count, at: offset)
        return octets.count == count ? octets : nil
    }

    /// As many octets at `offset` as there are, `count` at most; none if it cannot be read.
    borrowing func read(upTo count: Int, at offset: UInt64) -> [UInt8] {
        guard let start = Int(exactly: offset), count > 0 else { return [] }
        return (try? file.contents(from: start, limit: count)) ?? []
    }
}
