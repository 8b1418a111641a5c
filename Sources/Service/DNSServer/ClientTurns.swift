// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Topology
import Wire

/// The turns of one client on the server's thread: if other clients wait, one that has used more than its share rests.
final class ClientTurns {
    /// `nil` if no other client is kept waiting.
    private var share: TimeShare?
    /// Until then nothing is read from the client, over either transport.
    private(set) var rest: Instant?

    /// - Parameter advance: CPU time that it may use before it has earned it; `nil` if no other client is kept waiting.
    init(advance: Duration?) {
        share = advance.map(TimeShare.init(advance:))
    }

    func take(_ turn: () -> Void) {
        guard share != nil else { return turn() }
        let begin = ThreadClock.now()
        turn()
        if let end = share?.rest(after: ThreadClock.now() - begin, at: MonotonicClock.now()) { rest = end }
    }

    /// - Returns: whether a rest has ended.
    func resume(_ now: Instant) -> Bool {
        guard let instant = rest, instant <= now else { return false }
        rest = nil
        return true
    }
}
