// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet

/// The reason that the network, or the client's namespaces, cannot be made, and the command that fixes it, if there is one.
package struct SandboxError: Error, Hashable, Sendable {
    /// The step that failed.
    package enum Step: UInt8, CaseIterable, Hashable, Sendable {
        /// A user namespace for an ordinary user.
        case userNamespace
        /// The client's network and mount namespaces.
        case namespaces
        /// A link, which is a TUN or a pair of Ethernet interfaces.
        case link
        /// Links, addresses and routes.
        case network
        /// The files that only the client sees.
        case files
        /// Starting and communicating with the launcher.
        case launcher
        /// Dropping rights.
        case confinement
    }

    package let step: Step
    /// One line for people.
    package let reason: String
    /// A command, or other advice.
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
