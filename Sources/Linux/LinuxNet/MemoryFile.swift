internal import CLinux
internal import Glibc

/// Anonymous files in memory: something to hand to another process by its descriptor.
package enum MemoryFile {
    /// A file with these contents.
    package static func make(_ contents: [UInt8]) throws(SystemError) -> Descriptor {
        let number = unsafe clinux_memory_file("ipv6check")
        if number < 0 { throw .last("memfd_create") }
        let file = Descriptor(owning: number)
        try file.write(contents)
        return file
    }

    /// The whole of a file, from its start, or as much of it as `maximum` octets.
    package static func contents(of file: borrowing Descriptor, maximum: Int = .max) throws(SystemError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while contents.count < maximum {
            let wanted = min(buffer.count, maximum - contents.count)
            let count = retrying {
                unsafe buffer.withUnsafeMutableBytes {
                    unsafe pread(file.number, $0.baseAddress, wanted, contents.count)
                }
            }
            if count < 0 { throw .last("read") }
            if count == 0 { break }
            contents += buffer.prefix(count)
        }
        return contents
    }
}
