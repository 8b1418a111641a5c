import Evidence
import LinuxNet
import Sandbox
import Synchronization

/// Receives the preloaded library's evidence while a client runs, on a thread of its own: the library does not wait, so what
/// is not taken soon is lost.
struct LookupCollector: ~Copyable {
    private let receiver: Receiver
    private let thread: WorkerThread

    /// - Parameter path: where scripts look for their interpreters.
    static func start(_ socket: consuming AbstractSocket, path: OSString?) throws(SystemError) -> LookupCollector {
        let receiver = try Receiver(socket, path: path)
        let epoll = try Epoll()
        try epoll.add(receiver.socket.descriptor, .readable, token: 0)
        try epoll.add(receiver.stop.descriptor, .readable, token: 1)
        let handover = Mutex<Epoll?>(epoll)
        let thread = try WorkerThread.start(name: "evidence") {
            guard var epoll = handover.withLock({ $0.take() }) else { return }
            while !receiver.stop.hear() {
                _ = epoll.wait()
                receiver.drain()
                receiver.inspect()
            }
            receiver.drain()
            receiver.inspect()
        }
        return LookupCollector(receiver: receiver, thread: thread)
    }

    /// What came, to the last record. To be called when the client and all its children have ended.
    consuming func finish() -> LookupLog {
        let receiver = self.receiver
        // The thread has ended behind this.
        _ = consume self
        return receiver.log.withLock { $0 }
    }

    deinit {
        // Before the thread is waited for, however this value goes: nobody else tells it.
        receiver.stop.ring()
    }

    private final class Receiver: Sendable {
        let socket: AbstractSocket
        let stop: EventSignal
        let log = Mutex(LookupLog())
        private let path: OSString?

        /// A record has 4.7 kB at most (`SYNTHESIS_RECORD_SIZE`).
        private static let bufferSize = 8192
        /// So many are taken before anybody looks whether to stop: a client that never ceases to send cannot hold us up.
        /// It is more than the socket holds, so the last draining leaves nothing.
        private static let batch = 1024

        init(_ socket: consuming AbstractSocket, path: OSString?) throws(SystemError) {
            self.socket = socket
            self.path = path
            stop = try EventSignal()
        }

        /// Looks at the programs that were started, soon: they may be on their way out as well.
        func inspect() {
            for started in log.withLock({ $0.takeUninspected() }) {
                let inspection = ExecutableInspection.of(started.program, path: path)
                log.withLock { $0.take(inspection, of: started) }
            }
        }

        func drain() {
            var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
            for _ in 0..<Self.batch {
                var space = buffer.mutableSpan
                guard case .datagram(let length) = socket.receive(into: &space) else { return }
                log.withLock { log in
                    if length <= Self.bufferSize { log.take(Array(buffer.prefix(length))) } else { log.lose() }
                }
            }
        }
    }
}
