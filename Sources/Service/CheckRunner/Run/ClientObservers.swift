// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Sandbox
import Simulator
import Wire

/// The sockets and files of the client's namespaces that this process holds, and the evidence from them.
struct ClientObservers: ~Copyable {
    /// `nil` if the kernel's counters cannot be read.
    private var counters: NamespaceFiles?
    /// `nil` if the kernel keeps none, or they are not wanted.
    private var closedSockets: ClosedSockets?
    /// `nil` if nothing is preloaded.
    private let collector: LookupCollector?
    private let canary: LoopbackCanary?

    /// Takes the client's sockets in the order in which its launcher makes them. To be called when its link has been taken.
    init(_ client: borrowing GuardedClient, _ context: RunContext) throws(CheckFailure) {
        let counters = try? NamespaceFiles(ofProcess: client.launcherProcess ?? 0)
        let collector = context.hasCollector ? try Self.collector(of: client, context) : nil
        let closedSockets = context.recordsClosedSockets ? try client.takeClosedSockets() : nil
        try context.machinePorts.serve(client)
        let canary = context.prepared.hasCanaries ? try LoopbackCanary.start(client) : nil
        self.counters = counters
        self.closedSockets = closedSockets
        self.collector = collector
        self.canary = canary
    }

    private static func collector(
        of client: borrowing GuardedClient, _ context: RunContext
    ) throws(CheckFailure) -> LookupCollector {
        let path = context.inheritance.environment["PATH"]
        return try CheckFailure.wrapping(try client.takeSocket()) { (socket) throws(SystemError) in
            try LookupCollector.start(socket, path: path)
        }
    }

    /// Has the collector finish beside other work, when the client and all its children have ended.
    func requestFinish() { collector?.requestFinish() }

    /// Reads the kernel's counters. To be called when the client and all its children have ended.
    mutating func takeCounters() -> NamespaceCounters? {
        switch counters.take() {
        case .some(let counters): try? counters.read()
        case nil: nil
        }
    }

    /// The kernel's messages come within a millisecond, unless the processors are busy.
    private static let patience = Duration.milliseconds(100)

    /// Adds what was observed. To be called when the client and all its children have ended.
    consuming func finish(_ evidence: inout RunEvidence, synthesises: Bool) throws(CheckFailure) {
        switch closedSockets.take() {
        case .some(let sockets):
            let closed = sockets.finish(until: MonotonicClock.now() + Self.patience)
            evidence.unconnected = UnconnectedSockets(closed)
        case nil: break
        }
        evidence.loopbackRequests = try canary?.finish() ?? []
        guard let log = try collector?.finish() else { return }
        evidence.lookups = log.lookups
        // Without synthesis nothing is missing.
        if synthesises { evidence.uncovered = log.uncovered }
        evidence.localConnections = log.localConnections
        evidence.listsAddresses = log.listsAddresses
        evidence.lostLookups = log.lost
    }
}

extension UnconnectedSockets {
    fileprivate init(_ closed: [ClosedSocket]) {
        self.init()
        for socket in closed {
            switch socket.transport {
            case _ where socket.port != 0: bound += 1
            case .tcp: streams += 1
            case .udp: datagrams += 1
            }
        }
    }
}
