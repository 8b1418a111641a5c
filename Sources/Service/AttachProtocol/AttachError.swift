// SPDX-License-Identifier: Apache-2.0
package import LinuxNet

/// The reason why an attachment failed. The description says what to do.
package enum AttachError: Error, Hashable, Sendable {
    case unreachable(String, Errno)
    case busy(String, waited: Duration)
    case refused(String)
    case nonsense(String)
    case silent(String)
    case gone(String)
}

extension AttachError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let path, .ENOENT), .unreachable(let path, .ECONNREFUSED):
            "no simulator listens at \(path); start one with: nat64sim serve"
        case .unreachable(let path, .EACCES):
            "\(path): this user may not connect; the simulator's configuration names the group that may (control: group)"
        case .unreachable(let path, .EPROTOTYPE):
            "\(path) is another kind of socket; give the simulator's attach socket, such as unix:/run/nat64sim/attach.sock"
        case .unreachable(let path, let reason): "\(path): \(reason)"
        case .busy(let reason, let waited):
            "\(reason), after \(waited.components.seconds) s of waiting; run fewer clients at once, or another simulator beside it"
        case .refused(let reason): "the simulator rejected the request: \(reason)"
        case .nonsense(let who): "\(who): not a compatible nat64sim (protocol mismatch)"
        case .silent(let who): "\(who): the simulator does not answer"
        case .gone(let who): "\(who): the simulator closed the connection; see its log"
        }
    }
}
