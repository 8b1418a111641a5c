import Attach
import LinuxNet
package import Evidence

/// The way to a client's runner, for who is not in its conversation.
package final class RunnerLine: Sendable {
    private let channel: AttachChannel

    /// - Parameter channel: the conversation's; messages are whole, whoever sends them.
    init(beside channel: borrowing AttachChannel) throws(SystemError) {
        self.channel = AttachChannel(UnixSocket(owning: try channel.duplicate()))
    }

    /// Asks the runner to move its client. False if it is gone, or does not read.
    package func ask(for network: Network?) -> Bool { channel.send(AttachReply.wanted(on: network)) }
}
