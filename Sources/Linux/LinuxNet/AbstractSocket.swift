// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A Unix datagram socket with a name in its network namespace's abstract space: it has no file, and the name disappears with the
/// last descriptor. Every process in that namespace can send to it.
package struct AbstractSocket: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes over such a socket from another process.
    package init(adopting file: consuming Descriptor) {
        self.file = file
    }

    /// Makes one in the network namespace of the calling thread. `name` is without the leading NUL.
    package static func bind(_ name: String) throws(SystemError) -> AbstractSocket {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        if number < 0 { throw .last("socket(AF_UNIX)") }
        let file = Descriptor(owning: number)

        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(name.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard octets.count <= room else { throw SystemError("bind", .ENAMETOOLONG, what: "@" + name) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, octet) in octets.enumerated() { unsafe path[index + 1] = octet }
        }
        let size = MemoryLayout<sockaddr_un>.size - room + octets.count
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe Glibc.bind(number, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(size))
        }
        if result != 0 { throw .last("bind", what: "@" + name) }
        return AbstractSocket(adopting: file)
    }

    /// Readable when a datagram has arrived.
    package var descriptor: Int32 { file.number }

    package enum Received: Hashable, Sendable {
        /// The datagram's length; octets that did not fit into the buffer are lost.
        case datagram(length: Int)
        case wouldBlock
    }

    /// The next datagram, without waiting for one.
    package borrowing func receive(into buffer: inout MutableSpan<UInt8>) -> Received {
        let length = retrying {
            unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(file.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_TRUNC))
            }
        }
        return length < 0 ? .wouldBlock : .datagram(length: length)
    }
}
