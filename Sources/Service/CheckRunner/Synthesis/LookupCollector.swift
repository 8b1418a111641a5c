// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox

/// Receives the preloaded library's evidence while a client runs, on a thread of its own: the library does not wait, so evidence that is
/// not received soon is lost.
struct LookupCollector {
    private let loop: LoopThread<Receiver>

    /// - Parameter path: the PATH in which scripts look for their interpreters.
    static func start(_ socket: consuming AbstractSocket, path: OSString?) throws(SystemError) -> LookupCollector {
        let interests = try InterestList()
        try interests.add(socket.descriptor, .readable, token: 0)
        let loop = try LoopThread(name: "evidence", Receiver(socket, path: path), on: interests)
        try loop.start()
        return LookupCollector(loop: loop)
    }

    /// Asks the thread to finish, without waiting for it: the client and all its children have ended.
    func requestFinish() { loop.requestStop() }

    /// The evidence, to the last record. To be called when the client and all its children have ended.
    func finish() throws(CheckFailure) -> LookupLog {
        try CheckFailure.wrapping { () throws(LoopFailure) in try loop.stop().log }
    }

    private struct Receiver: LoopState, ~Copyable {
        private let socket: AbstractSocket
        private(set) var log = LookupLog()
        private let path: OSString?

        /// A record has 16.5 kB at most (`SYNTHESIS_RECORD_SIZE`).
        private static let bufferSize = 20480
        /// Records received between two checks whether to stop: a client that never ceases to send cannot hold us up. It is more than the
        /// socket holds, so the last round leaves nothing.
        private static let batch = 1024

        init(_ socket: consuming AbstractSocket, path: OSString?) {
            self.socket = socket
            self.path = path
        }

        mutating func handle(_ event: Epoll.Event) {
            var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
            for _ in 0..<Self.batch {
                var space = buffer.mutableSpan
                guard case .datagram(let length) = socket.receive(into: &space) else { return }
                if length <= Self.bufferSize { log.take(Array(buffer.prefix(length))) } else { log.lose() }
            }
        }

        /// Inspects the programs that were started, soon, as they may be about to go, too.
        mutating func advance() {
            for started in log.takeUninspected() {
                log.take(ExecutableInspection.of(started.program, path: path), of: started)
            }
        }
    }
}
