// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization
import Wire

/// A packet file written by its own thread, so that the thread with the packets never waits for the file system.
///
///     made ──write…──► close ──► awaitEnd
///
/// Theory of operation. `write` puts a packet into a queue. If that is full, it waits for at most the configured part of each second, so
/// that a slow disk slows the packets down; for a disk that makes no progress it waits only once. A packet for which there is then no room
/// is counted as missing. `close` waits for the queue for a limited time, and reports how many packets are missing from the file. A file
/// system that hangs keeps the thread, and the file open, until it continues; `awaitEnd` waits for that. If this value is destroyed, its
/// thread writes the queued packets, and ends.
package final class QueuedPacketFile: Sendable {
    private let work: Work
    private let name: String
    private let roomWait: RoomWait

    /// Capacity of the queue in octets: some tens of milliseconds of a link's traffic at full speed.
    private static let capacity = 16 << 20
    /// Enough for a slow disk at the end of a short run.
    private static let timeout = Duration.seconds(5)

    /// - Parameters:
    ///   - name: the file's name in errors.
    ///   - wait: the part of each second for which `write` may wait for room.
    package init(
        _ writer: consuming PacketFileWriter, name: String, waiting wait: Duration, capacity: Int = capacity
    ) throws(CaptureError) {
        self.name = name
        roomWait = RoomWait(wait)
        do throws(SystemError) {
            work = Work(try PacketQueue(capacity: capacity))
            try WorkerThread.start(name: "capture", with: writer) { [work] writer in work.run(writer) }.detach()
        } catch {
            throw CaptureError(path: name, reason: "\(error)")
        }
    }

    deinit { work.requestEnd() }

    /// To be called by one thread.
    /// - Parameter time: nanoseconds since 1970.
    package func write(_ packet: Span<UInt8>, at time: Int64) {
        if work.queue.put(packet, at: time) { return }
        while roomWait.wait(for: work.queue) {
            if work.queue.put(packet, at: time) { return }
        }
        work.queue.reject()
    }

    /// To be called after the last `write`. Throws if packets are missing from the file.
    package func close(within timeout: Duration = timeout) throws(CaptureError) {
        work.requestEnd()
        let end = work.end.wait(atMost: timeout)
        // Packets that are too late for this call are not written half an hour later.
        if end == nil { work.isAbandoned.store(true, ordering: .relaxed) }
        let counts = work.queue.counts
        let missing = counts.accepted + counts.rejected - work.written.load(ordering: .acquiring)
        switch end {
        case .some(.failed(let reason)): throw error(missing, reason)
        case nil: throw error(missing, "its file system does not answer")
        case .some(.complete):
            if missing > 0 { throw error(missing, "its file system took them slower than they came") }
        }
    }

    /// After a `close` that threw: waits for the file system without a limit.
    package func awaitEnd() { work.hasEnded.wait() }

    private func error(_ missing: Int, _ reason: String) -> CaptureError {
        CaptureError(
            path: name, reason: "\(missing) \(missing == 1 ? "packet is" : "packets are") missing from it: \(reason)")
    }
}

/// Limits how long the thread with the packets waits for the one with the file. Used only by the former.
private final class RoomWait: Sendable {
    /// Maximum wait per second.
    private let limit: Duration
    private let second = Atomic(MonotonicClock.now().nanoseconds)
    /// Number of pauses in the current second.
    private let pauses = Atomic(0)
    /// The queue's progress at the last time when waiting was given up.
    private let lastProgress = Atomic(-1)

    private static let pause = Duration.milliseconds(1)

    init(_ limit: Duration) {
        self.limit = limit
    }

    /// Waits a little. False if the limit has been reached.
    func wait(for queue: PacketQueue) -> Bool {
        let progress = queue.progress
        if lastProgress.load(ordering: .relaxed) == progress { return false }
        let now = MonotonicClock.now()
        if now - Instant(nanoseconds: second.load(ordering: .relaxed)) >= .seconds(1) {
            second.store(now.nanoseconds, ordering: .relaxed)
            pauses.store(0, ordering: .relaxed)
        }
        guard Self.pause * pauses.load(ordering: .relaxed) < limit else {
            lastProgress.store(progress, ordering: .relaxed)
            return false
        }
        pauses.add(1, ordering: .relaxed)
        sleep(until: now + Self.pause)
        return true
    }
}

/// The state of the file's thread.
private final class Work: Sendable {
    enum End {
        case complete
        case failed(String)
    }

    let queue: PacketQueue
    /// Number of packets that the file system has accepted.
    let written = Atomic(0)
    let isAbandoned = Atomic(false)
    let end = Reply<End>()
    let hasEnded = Reply<Void>()
    private let isEnding = Atomic(false)

    init(_ queue: PacketQueue) {
        self.queue = queue
    }

    func requestEnd() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        queue.wake()
    }

    func run(_ writer: consuming PacketFileWriter) {
        var failure: String?
        while true {
            // Read before the queue: no packets are put in after it is set.
            let isLast = isEnding.load(ordering: .sequentiallyConsistent)
            let count = queue.takeAll { packet, time in
                if failure == nil, !isAbandoned.load(ordering: .relaxed) { writer.write(packet, at: time) }
            }
            if count > 0, failure == nil, !isAbandoned.load(ordering: .relaxed) {
                do throws(CaptureError) {
                    try writer.flush()
                    written.add(count, ordering: .releasing)
                } catch {
                    failure = error.reason
                }
            }
            if isLast { break }
            queue.awaitPackets()
        }
        do throws(CaptureError) {
            try writer.close()
        } catch {
            failure = failure ?? error.reason
        }
        end.give(failure.map(End.failed) ?? .complete)
        hasEnded.give(())
    }
}
