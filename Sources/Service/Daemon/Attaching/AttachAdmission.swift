// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// Who may connect: root, the daemon's own user, and the group that the configuration names.
///
/// The socket file's permissions say the same; but a file's owner may change those, and who a process is only the kernel
/// says.
struct AttachAdmission: Sendable {
    /// The daemon's own.
    let user: UInt32
    /// The number of the group whose members may, too.
    let group: UInt32?
    let admitsEveryone: Bool

    func permits(_ peer: UnixPeer, memberOf isMember: (UInt32) -> Bool) -> Bool {
        if admitsEveryone || peer.user == 0 || peer.user == user { return true }
        return group.map(isMember) ?? false
    }

    /// The permissions of the socket's file.
    var mode: UInt32 { admitsEveryone ? 0o666 : group == nil ? 0o600 : 0o660 }
}
