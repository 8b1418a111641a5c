// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Anonymous files in memory, to be passed to another process by descriptor.
package enum MemoryFile {
    /// A file with these contents.
    package static func make(_ contents: [UInt8]) throws(SystemError) -> Descriptor {
        let number = unsafe clinux_memory_file("ipv6check")
        if number < 0 { throw .last("memfd_create") }
        let file = Descriptor(owning: number)
        try file.write(contents)
        return file
    }

    /// An empty file that several processes write to: each of them appends. Without O_APPEND two writes at once could go to the same
    /// offset, as the kernel does not lock the offset of an anonymous file (FMODE_ATOMIC_POS).
    package static func makeLog() throws(SystemError) -> Descriptor {
        let file = try make([])
        if fcntl(file.number, F_SETFL, O_APPEND) != 0 { throw .last("fcntl(F_SETFL)") }
        return file
    }

    /// The contents of a file from its start, at most `maximum` octets.
    package static func contents(of file: borrowing Descriptor, maximum: Int = .max) throws(SystemError) -> [UInt8] {
        try file.contents(from: 0, limit: maximum)
    }
}
