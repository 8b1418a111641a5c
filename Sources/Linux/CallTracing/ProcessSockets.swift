// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Evidence
internal import Glibc
internal import LinuxNet

/// The sockets of a traced process, by descriptor. The process's handle is opened once, not for each call.
final class ProcessSockets {
    let process: Int32
    /// A pidfd; `nil` until it is needed.
    private var handle: Descriptor?

    init(of process: Int32) {
        self.process = process
    }

    /// The socket's kind, and its inode, which identifies it; `nil` if the descriptor is no socket.
    func kind(of descriptor: Int32) -> (kind: SocketKind, inode: UInt64)? {
        var kind = clinux_socket_kind()
        guard let number = number(), unsafe clinux_get_socket_kind(number, descriptor, &kind) else { return nil }
        return (
            SocketKind(family: Int(kind.family), type: Int(kind.type), protocol: Int(kind.protocol)), kind.inode
        )
    }

    /// The octets of the address that a socket is bound to; empty if there is none.
    func name(of descriptor: Int32) -> [UInt8] {
        guard let number = number() else { return [] }
        var octets = [UInt8](repeating: 0, count: CalledAddress.sizeLimit)
        let length = unsafe octets.withUnsafeMutableBytes {
            unsafe clinux_get_socket_name(number, descriptor, $0.baseAddress, $0.count)
        }
        return Array(octets.prefix(length))
    }

    private func number() -> Int32? {
        if let known = handle?.number { return known }
        let opened = clinux_open_process(process)
        if opened < 0 { return nil }
        handle = Descriptor(owning: opened)
        return opened
    }
}
