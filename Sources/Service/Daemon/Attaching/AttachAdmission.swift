// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The users that may connect: root, the daemon's own user, and the members of the group that the configuration names.
///
/// The socket file's permissions state the same, but a file's owner may change those. The identity of a process comes from the
/// kernel only.
struct AttachAdmission: Sendable {
    /// The daemon's own user.
    let user: UInt32
    /// The number of the group whose members may connect, too.
    let group: UInt32?
    let admitsEveryone: Bool

    func permits(_ peer: UnixPeer, memberOf isMember: (UInt32) -> Bool) -> Bool {
        if admitsEveryone || peer.user == 0 || peer.user == user { return true }
        return group.map(isMember) ?? false
    }

    /// The permissions of the socket's file.
    var mode: UInt32 { admitsEveryone ? 0o666 : group == nil ? 0o600 : 0o660 }
}
