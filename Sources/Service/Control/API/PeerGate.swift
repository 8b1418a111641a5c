// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPTypes
import LinuxNet
import NIOCore
import Synchronization

/// The users at the other ends of connections to the API, each of which has a share of the connections.
///
/// A connection beyond the share gets the reason only: it has a little time to send its request, and gets a problem. The number of
/// such connections is limited, too; further ones are closed.
final class PeerGate: Sendable {
    struct Refusal: Error {
        let problem: Problem
    }

    private struct Guest {
        var user: UInt32
        var refusal: Problem?
    }

    private struct State {
        var shares: PeerShares
        var guests: [ObjectIdentifier: Guest] = [:]
        var refused = 0
    }

    private let state: Mutex<State>
    private let tell: @Sendable (UnixPeer, String) -> Void

    private static let refusedLimit = 64
    /// Timeout for the request of a connection that gets the reason only.
    private static let refusalTime = TimeAmount.seconds(2)

    /// - Parameters:
    ///   - owner: the daemon's user, whose share is not limited.
    ///   - tell: called for each refusal.
    init(_ connections: Int, ownedBy owner: UInt32, tell: @escaping @Sendable (UnixPeer, String) -> Void) {
        state = Mutex(State(shares: PeerShares(connections, own: owner)))
        self.tell = tell
    }

    /// The value of SO_PEERCRED: `struct ucred`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Admits an accepted connection. Fails if it does not even get a reason.
    func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.flatMapThrowing { [self] credentials in
            try enter(channel, credentials)
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    private func enter(_ channel: any Channel, _ credentials: Credentials) throws {
        let id = ObjectIdentifier(channel)
        let user = credentials.user
        let refusal: Problem? = try state.withLock { state in
            var guest = Guest(user: user)
            if !state.shares.take(for: user) {
                let isFull = state.shares.free == 0 || state.shares.count(of: user) == 0
                let problem = Problem(
                    isFull ? .serviceUnavailable : .tooManyRequests,
                    state.shares.objection(to: user, of: "connections to the control API"))
                guard state.refused < Self.refusedLimit else { throw Refusal(problem: problem) }
                state.refused += 1
                guest.refusal = problem
            }
            state.guests[id] = guest
            return guest.refusal
        }
        channel.closeFuture.whenComplete { [self] _ in leave(id) }
        if let refusal {
            tell(UnixPeer(user: user, group: credentials.group, process: credentials.process), refusal.detail)
            channel.eventLoop.scheduleTask(in: Self.refusalTime) { channel.close(promise: nil) }
        }
    }

    private func leave(_ id: ObjectIdentifier) {
        state.withLock { state in
            guard let guest = state.guests.removeValue(forKey: id) else { return }
            if guest.refusal == nil { state.shares.give(back: guest.user) } else { state.refused -= 1 }
        }
    }

    /// The user that sent a request.
    /// - Throws: the reason why the request is not answered.
    func user(of channel: any Channel) throws(Refusal) -> UInt32 {
        let guest = state.withLock { $0.guests[ObjectIdentifier(channel)] }
        // A connection that has just ended gets no answer anyway.
        guard let guest else { throw Refusal(problem: Problem(.serviceUnavailable, "the connection has ended")) }
        if let refusal = guest.refusal { throw Refusal(problem: refusal) }
        return guest.user
    }
}
