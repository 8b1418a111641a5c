// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Suites
import Text
import Wire
import World

/// A running fixture.
final class FixtureGroup {
    private let order: FixtureOrder
    private let signals: SignalSet
    private let queue: SignalQueue
    private let news: FixtureSocket
    private var servers: [FixtureServer] = []
    /// Sockets that were listening before the fixture, and before the server that is being started.
    private var before: Set<UInt64> = []
    private var beforeServer: Set<UInt64> = []
    private var isOver = false
    private var endings: [Int32: Int32] = [:]

    /// The servers' time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(2)
    /// Polling interval of conditions without an event.
    private static let interval = Duration.milliseconds(20)
    /// The interval after an answer, which the server may write into its log.
    private static let intervalAfterRefusal = Duration.milliseconds(500)
    private static let refusalLimit = Duration.seconds(10)

    /// The time for which a page may be refused. A server under test that still does so is ready: the probes judge it.
    private static func patience(with missing: ReadinessCheck.Missing, of server: FixtureOrder.Server) -> Duration {
        guard server.isProbed else { return refusalLimit }
        // While a server starts, it may answer with errors of its own, as 503.
        return missing.isRefusal ? .seconds(3) : .seconds(15)
    }

    init(_ order: FixtureOrder, heeding signals: SignalSet, queue: consuming SignalQueue, news: consuming FixtureSocket)
    {
        self.order = order
        self.signals = signals
        self.queue = queue
        self.news = news
    }

    func run() {
        before = Self.listening
        if startServers() {
            news.send(.ready(listeners(after: before).map(\.listener)))
            if let client = order.client { run(client) } else { serve() }
        }
        endServers()
    }

    // MARK: - Servers

    /// Starts the servers; returns whether all are ready.
    private func startServers() -> Bool {
        for server in order.servers {
            do throws(SystemError) {
                beforeServer = Self.listening
                let running = try FixtureServer(server, heeding: signals)
                servers.append(running)
                let start = MonotonicClock.now()
                var limit = server.within
                var interval = Self.interval
                var elsewhere: Duration?
                while true {
                    // A server that has ended is not ready, whatever it left.
                    wait(until: MonotonicClock.now() + interval)
                    if isOver { return false }
                    if let status = endings[running.process] {
                        fail(
                            running, "ended before it was ready (\(Self.text(of: status)))",
                            isMissing: Self.shellFailures.contains(status >> 8 & 0xff))
                        return false
                    }
                    guard let missing = missing(of: running) else { break }
                    let time = MonotonicClock.now() - start
                    if missing.isRefusal || server.isProbed && missing.isAnswer, interval == Self.interval {
                        interval = Self.intervalAfterRefusal
                        limit = min(limit, time + Self.patience(with: missing, of: server))
                    }
                    elsewhere = missing.isElsewhere ? elsewhere ?? time : nil
                    if let elsewhere, let patience = server.elsewhere { limit = min(limit, elsewhere + patience) }
                    if limit <= time {
                        if server.isProbed, missing.isAnswer { break }
                        fail(running, "was not ready after \(limit.inSeconds): \(missing.text)")
                        return false
                    }
                }
            } catch {
                news.send(
                    .failed(FixtureFailure(server: server.name, reason: "cannot be started: \(error)", isMissing: true))
                )
                return false
            }
        }
        return true
    }

    /// A shell's exit statuses for a program that cannot be executed, and for one that does not exist (POSIX.1-2024, 2.8.2).
    private static let shellFailures: Set<Int32> = [126, 127]

    private func fail(_ server: FixtureServer, _ reason: String, isMissing: Bool = false) {
        news.send(.failed(FixtureFailure(server: server.order.name, reason: reason, isMissing: isMissing)))
    }

    /// The first condition that is not met yet; `nil` if the server is ready.
    private func missing(of server: FixtureServer) -> ReadinessCheck.Missing? {
        ReadinessCheck(
            listeners: { self.listeners(after: self.beforeServer) }, areOwn: true, hasPrinted: server.hasPrinted,
            folder: server.order.folder
        )
        .missing(of: server.order.ready)
    }

    private func listeners(after before: Set<UInt64>) -> [ListeningSocket] {
        ((try? ListeningSocket.all()) ?? []).filter { !before.contains($0.inode) }
    }

    private static var listening: Set<UInt64> { Set((try? ListeningSocket.all())?.map(\.inode) ?? []) }

    private func endServers() {
        for server in servers.reversed() where endings[server.process] == nil { server.signal(SIGTERM) }
        let deadline = MonotonicClock.now() + Self.grace
        isOver = false
        while servers.contains(where: { endings[$0.process] == nil }), MonotonicClock.now() < deadline {
            reap()
            sleep(until: min(deadline, MonotonicClock.now() + Self.interval))
        }
        for server in servers {
            server.signal(SIGKILL)
            if endings[server.process] == nil { _ = waitpid(server.process, nil, 0) }
        }
    }

    /// Serves until the fixture process is told to end, or a server ends.
    private func serve() {
        while !isOver {
            wait(until: nil)
            if reportLoss() { return }
        }
    }

    /// Reports a server that has ended although it is needed; returns whether there is one.
    private func reportLoss() -> Bool {
        for server in servers {
            guard let status = endings[server.process] else { continue }
            fail(server, "ended while it was needed (\(Self.text(of: status)))")
            return true
        }
        return false
    }

    // MARK: - The client

    private func run(_ command: [String]) {
        let start = MonotonicClock.now()
        let client: Int32
        do throws(SystemError) {
            var spawning = Spawning(command[0], arguments: command.map { OSString($0) })
            spawning.heeded = signals
            // A client that stops or kills its process group must not affect the fixture process.
            spawning.hasOwnGroup = true
            spawning.leadsGroup = false
            client = try spawning.start()
        } catch {
            return news.send(
                .failed(FixtureFailure(server: "", reason: "\(command[0]): \(error.errno)", isMissing: true)))
        }
        let deadline = start + order.timeout
        var isWarned = false
        while true {
            if let status = endings[client] {
                _ = reportLoss()
                let end: ExitOutcome =
                    isWarned
                    ? .timedOut(after: order.timeout)
                    : status & 0x7f != 0 ? .killed(signal: status & 0x7f) : .exited(status: status >> 8 & 0xff)
                return news.send(.ended(end, MonotonicClock.now() - start))
            }
            let now = MonotonicClock.now()
            // The keeper ends the client's remaining processes.
            if deadline + order.grace <= now { kill(client, SIGKILL) }
            if isOver || deadline <= now, !isWarned {
                kill(client, SIGTERM)
                isWarned = true
            }
            wait(until: isWarned ? (deadline <= now ? deadline + order.grace : now + Self.grace) : deadline)
        }
    }

    // MARK: - Waiting

    /// Waits until a process ends, a signal or a message arrives, or the deadline.
    private func wait(until deadline: Instant?) {
        let descriptors = isOver ? [queue.descriptor] : [queue.descriptor, news.descriptor]
        _ = waitForInput(descriptors, until: deadline)
        while let number = queue.next() { if number != SIGCHLD { isOver = true } }
        if !isOver, case .closed = news.receive(waiting: false) { isOver = true }
        reap()
    }

    private func reap() {
        var status: Int32 = 0
        while true {
            let process = unsafe waitpid(-1, &status, WNOHANG)
            if process <= 0 { return }
            endings[process] = status
        }
    }

    private static func text(of status: Int32) -> String {
        status & 0x7f != 0 ? "signal \(status & 0x7f)" : "exit \(status >> 8 & 0xff)"
    }
}

extension ListeningSocket {
    var listener: Listener { Listener(address.host, port: address.port, isIPv6Only: isIPv6Only) }
}
