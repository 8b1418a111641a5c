// SPDX-License-Identifier: Apache-2.0
import Evidence

extension ExecutableInspection {
    /// Why the program's getaddrinfo cannot be ours; `nil` if it can.
    var obstacle: SynthesisObstacle? {
        switch kind {
        case .isStatic(go: .some), .dynamic(_, go: .some): .goProgram
        case .isStatic(go: nil): .staticallyLinked
        case .otherLoader(let loader): .otherLoader(loader)
        case .otherMachine: .otherMachine
        case .unreadable: .unreadable
        case .unknown: .unknownFormat
        case .dynamic(_, go: nil): isPrivileged ? .privileged : nil
        }
    }
}
