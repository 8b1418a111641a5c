// SPDX-License-Identifier: Apache-2.0
/// The reason why the control API gave no answer, or an error.
package enum ControlClientError: Error, Hashable, Sendable {
    /// No process listens at the socket, for this reason.
    case noDaemon(socket: String, reason: String)
    /// The socket exists, but this user may not connect.
    case notAllowed(socket: String)
    /// The daemon did not answer in this time, or went away meanwhile.
    case silent(socket: String, Duration)
    case cutOff(socket: String)
    /// The daemon had no connection free all the time, for this reason.
    case busy(String)
    /// The daemon answered with a problem (RFC 9457).
    case refused(status: Int, detail: String)
    /// The server at the socket is not this API.
    case notUnderstood(socket: String)
}

extension ControlClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDaemon(let socket, let reason):
            "no daemon answers at \(socket): \(reason); start one with 'nat64sim serve', or name its socket with --socket "
                + "or NAT64SIM_SOCKET"
        case .notAllowed(let socket):
            "\(socket) is not for this user: join the group that it belongs to, or run this as the daemon's user"
        case .silent(let socket, let time): "the daemon at \(socket) has said nothing for \(time.components.seconds) s"
        case .cutOff(let socket): "the daemon at \(socket) went away before it had answered"
        case .busy(let reason): reason
        case .refused(_, let detail): detail
        case .notUnderstood(let socket): "what answers at \(socket) is not the control API of nat64sim"
        }
    }
}
