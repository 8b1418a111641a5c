// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
package import Evidence
package import LinuxNet
import Synchronization
package import Translation

/// The way to a client's runner, for who is not in its conversation. Nobody waits for a runner that does not read.
package final class RunnerLine: Sendable {
    private let channel: AttachChannel
    /// Who waits for the client to be on a network, or on none.
    private let awaited = Mutex<[(network: Network?, reply: Reply<Bool>)]>([])
    private let whereabouts: Mutex<Whereabouts>

    private enum Whereabouts: Hashable {
        /// The client has its side of it, or of none.
        case on(Network?)
        case between
    }

    /// - Parameters:
    ///   - channel: the conversation's; messages are whole, whoever sends them.
    ///   - network: the client's first one.
    init(beside channel: borrowing AttachChannel, on network: Network) throws(SystemError) {
        whereabouts = Mutex(.on(network))
        self.channel = AttachChannel(UnixSocket(owning: try channel.duplicate()))
    }

    /// Whether the client has its side of this network, or of none.
    package func hasClient(on network: Network?) -> Bool { whereabouts.withLock { $0 == .on(network) } }

    /// Asks the runner to move its client, which is elsewhere. The answer is whether it has: false where the client has gone.
    package func ask(for network: Network?) -> PendingReply<Bool> {
        let reply = Reply<Bool>()
        awaited.withLock { $0.append((network, reply)) }
        let withdraw: @Sendable () -> Void = { [self] in awaited.withLock { $0.removeAll { $0.reply === reply } } }
        guard channel.send(AttachReply.wanted(on: network), waits: false) else {
            withdraw()
            return PendingReply(failed: .notRunning("runner"))
        }
        return PendingReply(reply, takeBack: withdraw)
    }

    /// Tells the runner that the client's network has other Pref64s. One that is between two networks hears of them with the next.
    package func tell(_ prefixes: [Pref64]) {
        channel.send(AttachReply.prefixes(prefixes.map { "\($0)" }), waits: false)
    }

    /// The conversation's: the client has left its network.
    func leave() { whereabouts.withLock { $0 = .between } }

    /// The conversation's: the client is there now, and has its side of it.
    func arrive(on network: Network?) {
        whereabouts.withLock { $0 = .on(network) }
        answer(true) { $0 == network }
    }

    /// The conversation's: the client has gone.
    func end() { answer(false) { _ in true } }

    private func answer(_ answer: Bool, where isAnswered: (Network?) -> Bool) {
        awaited.withLock { awaited in
            for entry in awaited where isAnswered(entry.network) { entry.reply.give(answer) }
            awaited.removeAll { isAnswered($0.network) }
        }
    }
}
