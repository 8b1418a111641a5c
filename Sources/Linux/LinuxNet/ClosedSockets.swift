// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// An IPv4 socket without a peer that a process closed: it listened, waited for datagrams, had its connection refused for want of a route,
/// or was never used.
package struct ClosedSocket: Hashable, Sendable {
    package enum Transport: Hashable, Sendable { case tcp, udp }

    package let transport: Transport
    /// Unspecified if it was bound to none.
    package let address: IPv4Address
    /// 0 if it was bound to none.
    package let port: UInt16

    package init(_ transport: Transport, _ address: IPv4Address, port: UInt16) {
        self.transport = transport
        self.address = address
        self.port = port
    }
}

/// The kernel's messages about closed IPv4 sockets of a network namespace (clinux_closed_sockets.h). They hold the namespace open.
package struct ClosedSockets: ~Copyable, Sendable {
    private let messages: Descriptor
    /// A socket of the namespace that is closed after all others: the messages are complete when its own has come.
    private let last: Descriptor

    /// Takes over `messages` and `last` from another process.
    package init(messages: consuming Descriptor, last: consuming Descriptor) {
        self.messages = messages
        self.last = last
    }

    /// Begins in the network namespace of the calling thread.
    package static func watch() throws(SystemError) -> ClosedSockets {
        let messages = clinux_watch_closed_sockets()
        if messages < 0 { throw .last("socket(NETLINK_SOCK_DIAG)") }
        let file = Descriptor(owning: messages)
        let last = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if last < 0 { throw .last("socket(AF_INET)") }
        return ClosedSockets(messages: file, last: Descriptor(owning: last))
    }

    /// The descriptors, for another process; valid as long as this value.
    package var descriptors: (messages: Int32, last: Int32) { (messages.number, last.number) }

    /// The kernel's queue for them has room for a few hundred.
    private static let limit = 512

    /// Takes the messages that came, at most 512. The kernel sends them a moment after a socket is closed, so this waits for the last one.
    /// - Parameter deadline: when it waits no longer.
    package consuming func finish(until deadline: Instant) -> [ClosedSocket] {
        var cookie: UInt64 = 0
        var size = socklen_t(MemoryLayout<UInt64>.size)
        guard unsafe getsockopt(last.number, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 else { return [] }
        let file = messages
        last.close()
        var taken = [clinux_closed_socket](repeating: clinux_closed_socket(), count: Self.limit)
        var count = 0
        // Messages were lost, perhaps the last one, too.
        var isIncomplete = false
        while count < taken.count {
            let more = unsafe taken.withUnsafeMutableBufferPointer { room in
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: room[count...])
                return unsafe clinux_take_closed_sockets(file.number, rest.baseAddress, rest.count)
            }
            if more > 0 {
                count += more
                if taken[..<count].contains(where: { $0.cookie == cookie }) { break }
            } else if errno == ENOBUFS {
                isIncomplete = true
            } else if isIncomplete || !waitForInput(file.number, until: deadline) {
                break
            }
        }
        return taken[..<count].filter { $0.cookie != cookie }.map { closed in
            ClosedSocket(
                Int32(closed.protocol) == Int32(IPPROTO_TCP) ? .tcp : .udp, IPv4Address(bits: closed.address),
                port: closed.port)
        }
    }
}
