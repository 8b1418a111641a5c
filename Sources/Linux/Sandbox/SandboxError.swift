// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet

/// Why the network, or the client's place in it, cannot be made, and the command that fixes it, if there is one.
package struct SandboxError: Error, Hashable, Sendable {
    /// What could not be done.
    package enum Step: UInt8, CaseIterable, Hashable, Sendable {
        /// A user namespace for an ordinary user.
        case userNamespace
        /// The client's network and mount namespace.
        case namespaces
        /// A link, which is a TUN or a pair of Ethernet interfaces.
        case link
        /// Links, addresses and routes.
        case network
        /// The files that only the client sees.
        case files
        /// Starting and talking with the launcher.
        case launcher
        /// Giving up rights.
        case confinement
    }

    package let step: Step
    /// One line for people.
    package let reason: String
    /// A command, or what else to do.
    package let remedy: String?

    init(_ step: Step, _ reason: String, remedy: String? = nil) {
        self.step = step
        self.reason = reason
        self.remedy = remedy
    }

    init(_ step: Step, _ error: SystemError) {
        let isTooLarge = error.errno == .EFBIG
        self.init(step, "\(error)", remedy: isTooLarge ? "ulimit -f unlimited" : nil)
    }
}

extension SandboxError: CustomStringConvertible {
    package var description: String { reason + (remedy.map { "; fix: \($0)" } ?? "") }
}
