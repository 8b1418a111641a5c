// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import LinuxNet
import Sandbox

/// The daemon's handle of the process in which its simulator lives. That process reads the input of clients and users and has no
/// rights; the daemon has all rights and reads none of that input.
///
/// Theory of operation. The process is forked from the daemon in the namespace of the world, with the plan in its memory.
/// Descriptors that it cannot open itself are handed over. It makes the links of all places, gives up its rights, starts the
/// servers, and serves until the daemon hangs up (`ServingMessages.swift`).
struct ServingProcess: ~Copyable {
    private var process: SecondProcess
    /// Readable when the process has sent a message, or is gone.
    let line: SharedChannel

    /// The daemon must still have a single thread.
    init(_ plan: ServingPlan) throws(SystemError) {
        let pair = try UnixSocket.pair()
        process = try SecondProcess.start(name: "simulator", from: pair.first, to: pair.second) { socket, parent in
            Serving.live(plan, SharedChannel(AttachChannel(socket)), parent: parent)
        }
        line = SharedChannel(AttachChannel(pair.first))
    }

    borrowing func hand(over number: Int32, as kind: HeldDescriptors.Kind) {
        line.channel.send(ServingOrder.hold(kind), descriptor: number)
    }

    borrowing func begin() { line.channel.send(ServingOrder.begin) }

    /// The error to report when the process does not answer any more.
    mutating func death() -> DaemonError {
        DaemonError("the simulator's process \(process.explanation()), and its clients' networks with it")
    }

    /// Ends it in good order, or by SIGKILL after the limit.
    mutating func end(within limit: Duration) { process.end(within: limit) }
}
