// SPDX-License-Identifier: Apache-2.0
package import LinuxNet

/// By what it is certain that nothing of the client stays.
package enum Protection: Hashable, Sendable {
    /// A PID namespace with a /proc of its own: the client cannot reach its keeper, and the kernel ends all of it.
    case namespace
    /// Such a namespace cannot be made here. The keeper is a subreaper, which the client can see, stop and kill.
    case subreaper(because: Errno)

    /// What is weaker about it, and why; `nil` if nothing is.
    package var weakness: String? {
        guard case .subreaper(let reason) = self else { return nil }
        return "the client has no PID namespace with a /proc of its own here (\(reason)): "
            + "where it kills its parent processes on purpose, some of its children may stay"
    }
}
