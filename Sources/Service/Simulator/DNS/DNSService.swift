package import DNS64
internal import Dispatch
package import LinuxNet
internal import Synchronization

/// The DNS server of a simulated network: UDP and TCP, on one thread of its own.
///
/// Theory of operation. `init` binds the sockets in the network namespace of the calling thread, so whatever is wrong with
/// the addresses shows at once. `start` hands them to the service's thread, which alone touches them from then on; `stop` sends
/// a wake-up and waits for it, and everything is closed when it returns. The log, the counters and the networks to be
/// served are behind a lock, and can be used from any thread at any time.
package final class DNSService: Sendable {
    /// Where it listens; a port that was given as 0 is the one that the kernel chose.
    package let addresses: [SocketAddress]

    private let board: DNSServiceBoard
    private let idleLoop: Handover<DNSEventLoop>
    private let thread = Mutex<WorkerThread?>(nil)

    /// - Parameter validator: made for this configuration, where it wants validation.
    package init(
        _ configuration: ResolverConfiguration, listeningOn addresses: [SocketAddress],
        limits: ServiceLimits = ServiceLimits(), validator: Validator? = nil
    ) throws(SystemError) {
        let board = try DNSServiceBoard(
            networks: configuration.networks, faults: configuration.faults, logCapacity: limits.loggedQueries)
        let loop = try DNSEventLoop(
            configuration, addresses: addresses, limits: limits, validator: validator, board: board)
        self.board = board
        self.addresses = loop.addresses
        idleLoop = Handover(loop)
    }

    deinit {
        stop()
    }

    /// Starts to serve. A service is started once.
    package func start() throws(SystemError) {
        // The thread holds the loop, and not the service: that would keep the service from ever ending.
        var started: WorkerThread? = try WorkerThread.start(name: "dns") { [idleLoop] in idleLoop.take()?.run() }
        thread.withLock { $0 = started.take() }
    }

    /// Stops serving and closes everything; what was logged stays.
    package func stop() {
        board.requestStop()
        // The value is taken out of the lock, so that the lock is not held while the thread is waited for.
        let running = thread.withLock { thread in thread.take() }
        running?.join()
    }

    /// The latest queries, oldest first, and how many earlier ones were forgotten.
    package var log: QueryLog { board.log }

    /// The number that the next query will have in the log.
    package var nextQuery: UInt64 { board.nextQuery }

    /// The queries from `number` on, `limit` of them at most.
    package func records(from number: UInt64, limit: Int = .max) -> QueryLog.Excerpt {
        board.records(from: number, limit: limit)
    }

    /// Waits until what has come to the sockets so far has been dealt with, and stands in the log. To be called between
    /// `start` and `stop`.
    package func settle() {
        board.waitForRound(timeout: .seconds(5))
    }

    /// What was seen and done so far.
    package var counters: DNSCounters { board.counters }

    /// Which clients are served, and how; holds from the next query on.
    package var networks: [ClientNetwork] {
        get { board.networks }
        set { board.networks = newValue }
    }

    /// What it does wrong; holds from the next query on. Faults that stay go on counting queries, new ones begin to.
    package var faults: [Fault] {
        get { board.faults }
        set { board.changeFaults { $0 = newValue } }
    }

    /// Changes the faults, one caller at a time.
    package func changeFaults(_ change: (inout [Fault]) -> Void) {
        board.changeFaults(change)
    }

    /// The faults in their order, and how often each happened.
    package var faultCounts: [FaultCount] { board.faultCounts }
}

/// Something that one thread leaves for another, and that is taken once.
private final class Handover<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: sending Value) {
        self.value = Mutex(value)
    }

    func take() -> sending Value? { value.withLock { $0.take() } }
}
