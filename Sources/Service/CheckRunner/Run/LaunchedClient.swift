// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Simulator
import Wire

/// A client whose launcher has its plan and makes its place, beside the simulator, which makes the network.
struct LaunchedClient: ~Copyable {
    private var context: RunContext
    private var preparation: PreparationLimit
    private let client: GuardedClient
    private let reservation: any Reservation & ~Copyable
    let place: ReservedSlot

    init(
        _ client: consuming GuardedClient, at place: ReservedSlot, _ reservation: consuming any Reservation & ~Copyable,
        _ context: RunContext, _ preparation: PreparationLimit
    ) {
        self.client = client
        self.place = place
        self.reservation = reservation
        self.context = context
        self.preparation = preparation
    }

    /// Changes that were made around the client so far, a sentence each.
    var notes: [String] { context.notes }

    /// Waits until both are ready, and connects them.
    consuming func connect() throws(CheckFailure) -> ConnectedClient {
        preparation.awaits(.simulator)
        // As a value of its own, as the compiler (6.3) does not consume a property that is an existential.
        let reservation = reservation
        let slot = try reservation.prepare()
        preparation.awaits(.link)
        let device = try client.takeLink()
        if !device.isTUN, let reason = Machine.reasonForEthernet {
            context.notes.append("A veth pair stands in for a TUN: \(reason).")
        }
        let observers = try ClientObservers(client, context)
        let time = MonotonicClock.now()
        preparation.awaits(.network)
        let connection = try slot.connect(
            device, capture: CaptureFile(context.prepared.capturePath, label: context.request.captureLabel),
            keepsPayloads: context.request.isTraced)
        return ConnectedClient(client, on: connection, at: place, since: time, observers, context, preparation)
    }
}
