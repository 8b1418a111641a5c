import Findings
import LinuxNet
import NAT64
import Translation
import Wire

/// The way of every packet between a client and the world: one thread, two TUNs, one buffer.
///
/// Theory of operation. `start` begins to move packets on a thread of the path's own, which alone touches the TUNs, the NAT64
/// and the logs from then on. `stop` rings that thread's bell and waits for it; then the evidence may be read. A path serves
/// one client, on one network, once.
///
/// Of a packet that is read, the header is rewritten where it lies and the packet is written again: nothing is copied
/// or allocated for it.
final class PacketPath: @unchecked Sendable {
    private let stopSignal: EventSignal
    private let loop: PathLoop
    private var thread: WorkerThread?

    init(_ loop: PathLoop) throws(SystemError) {
        stopSignal = try EventSignal()
        self.loop = loop
    }

    func start() throws(SystemError) {
        try loop.prepare(stopDescriptor: stopSignal.descriptor)
        // The loop is handed over here, and taken back by joining the thread.
        nonisolated(unsafe) let loop = self.loop
        thread = try WorkerThread.start(name: "packets") { unsafe loop.run() }
    }

    /// Ends the thread and returns what it saw.
    func stop() -> (flows: [Flow], refusals: [Findings.Refusal], lost: Int) {
        stopSignal.ring()
        thread.take()?.join()
        return (loop.output.flows.flows, loop.output.refusals.refusals, loop.output.flows.lost)
    }
}
