// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The process at the other end of a Unix socket, as reported by the kernel.
package struct UnixPeer: Hashable, Sendable {
    package let user: UInt32
    package let group: UInt32
    /// 0 if it has no number in this process's PID namespace.
    package let process: Int32

    package init(user: UInt32, group: UInt32, process: Int32) {
        self.user = user
        self.group = group
        self.process = process
    }
}

extension UnixSocket {
    /// Connects to a listener. ECONNREFUSED: nothing listens there any more. ENOENT: nothing ever did.
    package static func connect(to path: String) throws(SystemError) -> UnixSocket {
        let number = unsafe clinux_unix_connect(path)
        if number < 0 { throw .last("connect", what: path) }
        return UnixSocket(owning: Descriptor(owning: number))
    }

    /// The process at the other end, or the one that connected.
    package var peer: UnixPeer? {
        var peer = clinux_peer()
        guard unsafe clinux_unix_peer(descriptor, &peer) == 0 else { return nil }
        return UnixPeer(user: peer.user, group: peer.group, process: peer.process)
    }

    /// Whether the peer is in the group, possibly by a supplementary group.
    package func peerIsMember(ofGroup group: UInt32) -> Bool {
        clinux_unix_peer_has_group(descriptor, group)
    }
}

extension UnixListener {
    /// The next connection to a socket of messages, without waiting for it; `nil` if there is none, or none can be accepted now.
    package borrowing func accept() -> UnixSocket? {
        let number = retrying { Int(clinux_unix_accept(descriptor)) }
        return number < 0 ? nil : UnixSocket(owning: Descriptor(owning: Int32(number)))
    }
}
