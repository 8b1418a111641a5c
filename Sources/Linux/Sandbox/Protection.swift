// SPDX-License-Identifier: Apache-2.0
package import LinuxNet

/// The mechanism that ensures that no process of the client remains.
package enum Protection: Hashable, Sendable {
    /// A PID namespace with its own /proc: the client cannot reach its keeper, and the kernel kills all of its processes.
    case namespace
    /// Such a namespace cannot be made here. The keeper is a subreaper, which the client can see, stop and kill.
    case subreaper(because: Errno)

    /// The weakness and its reason; `nil` if there is none.
    package var weakness: String? {
        guard case .subreaper(let reason) = self else { return nil }
        return "the client has no PID namespace with a /proc of its own here (\(reason)): "
            + "where it kills its parent processes on purpose, some of its children may stay"
    }
}
