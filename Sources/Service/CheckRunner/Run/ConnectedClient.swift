// SPDX-License-Identifier: Apache-2.0
import CallTracing
import LinuxNet
import Sandbox
import Topology
import Wire

/// A client whose network is ready, and that has not begun.
struct ConnectedClient: ~Copyable {
    private let context: RunContext
    private var preparation: PreparationLimit
    private var client: GuardedClient
    private let connection: any ClientConnection & ~Copyable
    private let observers: ClientObservers
    private let place: ReservedSlot
    /// When it was connected.
    private let connected: Instant

    init(
        _ client: consuming GuardedClient, on connection: consuming any ClientConnection & ~Copyable,
        at place: ReservedSlot, since connected: Instant, _ observers: consuming ClientObservers, _ context: RunContext,
        _ preparation: PreparationLimit
    ) {
        self.client = client
        self.connection = connection
        self.place = place
        self.connected = connected
        self.observers = observers
        self.context = context
        self.preparation = preparation
    }

    /// Does something else before the client begins; its time is not limited.
    mutating func pause(_ body: () throws(CheckFailure) -> Void) throws(CheckFailure) {
        context.watch.expectEnd()
        try body()
        preparation.restart()
    }

    /// Lets the client run.
    consuming func start() throws(CheckFailure) -> RunningClient {
        let start = MonotonicClock.now()
        var handover: Handover?
        if context.isNetworkHeld {
            preparation.awaits(.hold)
            handover = Handover(
                try client.takeNetwork(place.network), at: place, context.request.schedule, start: start)
            try handover?.advance(to: start, on: connection)
        }
        preparation.awaits(.start)
        context.watch.clientStarts()
        var tracer: Tracer?
        try client.go { (process) throws(SystemError) in tracer = try Tracer(following: process, since: start) }
        // Not earlier: a stopped launcher would keep us waiting for its answer, and no signal would end that.
        context.watch.clientRuns()
        return RunningClient(
            client, on: connection, handover, observers,
            RunRecord(start: start, connected: connected, place: place, tracer: tracer, context: context))
    }
}
