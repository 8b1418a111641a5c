// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Topology
import Wire

/// The turns that one client has at the server's thread: where others wait, one that has had more than its share rests.
final class ClientTurns {
    /// `nil` where nobody else is kept waiting.
    private var share: TimeShare?
    /// Until when nothing is read of the client, over either transport.
    private(set) var rest: Instant?

    /// - Parameter advance: what it may take before it has earned that; `nil` if nobody else is kept waiting.
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
