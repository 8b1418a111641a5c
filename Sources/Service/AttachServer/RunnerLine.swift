// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
package import Evidence
package import LinuxNet
import Synchronization
package import Translation

/// The channel to a client's runner, for threads outside its conversation. They never wait for a runner that does not read.
package final class RunnerLine: Sendable {
    private let channel: AttachChannel
    /// The callers that wait for the client to be on a network, or on none.
    private let awaited = Mutex<[(network: Network?, reply: Reply<Bool>)]>([])
    private let whereabouts: Mutex<Whereabouts>

    private enum Whereabouts: Hashable {
        /// The client has set up its side of the network, or of none.
        case on(Network?)
        case between
    }

    /// - Parameters:
    ///   - channel: the conversation's; messages are written whole, so several threads may send.
    ///   - network: the client's first one.
    init(beside channel: borrowing AttachChannel, on network: Network) throws(SystemError) {
        whereabouts = Mutex(.on(network))
        self.channel = AttachChannel(UnixSocket(owning: try channel.duplicate()))
    }

    /// Whether the client has set up its side of this network, or of none.
    package func hasClient(on network: Network?) -> Bool { whereabouts.withLock { $0 == .on(network) } }

    /// Asks the runner to move its client, which is elsewhere. Answered with true when it has moved, with false if the client has left.
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

    /// Tells the runner the new Pref64s of the client's network. A client between two networks gets them with its next one.
    package func tell(_ prefixes: [Pref64]) {
        channel.send(AttachReply.prefixes(prefixes.map { "\($0)" }), waits: false)
    }

    /// Called by the conversation: the client has left its network.
    func leave() { whereabouts.withLock { $0 = .between } }

    /// Called by the conversation: the client is on the network now, and has set up its side of it.
    func arrive(on network: Network?) {
        whereabouts.withLock { $0 = .on(network) }
        answer(true) { $0 == network }
    }

    /// Called by the conversation: the client has ended.
    func end() { answer(false) { _ in true } }

    private func answer(_ answer: Bool, where isAnswered: (Network?) -> Bool) {
        awaited.withLock { awaited in
            for entry in awaited where isAnswered(entry.network) { entry.reply.give(answer) }
            awaited.removeAll { isAnswered($0.network) }
        }
    }
}
