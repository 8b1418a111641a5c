// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import AttachServer
import Evidence
import LinuxNet
import Simulator
import Synchronization
import Topology
import Wire

/// Serves the attach socket. Each runner that connects gets a thread, which holds a conversation with it (`AttachConversation`).
/// The number of threads is limited, and each user has a share of them.
final class AttachService: Sendable {
    private let conversation: AttachConversation
    private let registry: Registry
    private let admission: AttachAdmission
    private let shares: Mutex<PeerShares>

    /// Connections that are allowed beyond one for each place.
    private static let waitingLimit = 64
    /// Connections that are accepted in one go.
    private static let turn = 64

    /// - Parameter authority: the certificate of the CA that clients are to trust (PEM); `nil` if there is none.
    init(_ networks: any ClientNetworks, _ registry: Registry, authority: String?, admission: AttachAdmission) {
        self.registry = registry
        self.admission = admission
        conversation = AttachConversation(
            networks, Places(networks.places, on: networks.linkPlan.client, own: admission.user), registry,
            authority: authority)
        shares = Mutex(PeerShares(networks.places + Self.waitingLimit, own: admission.user))
    }

    /// Accepts the runners that wait at the socket, or some of them. Does not block.
    func accept(_ listener: borrowing UnixListener) {
        for _ in 0..<Self.turn {
            guard let socket = listener.accept() else { return }
            start(AttachChannel(socket))
        }
    }

    private func start(_ channel: consuming AttachChannel) {
        guard let peer = channel.peer else { return }
        guard admission.permits(peer, memberOf: { channel.peerIsMember(ofGroup: $0) }) else {
            return conversation.refuse(
                channel, peer, "user \(peer.user) may not attach; the configuration says who may (clients: group)")
        }
        if let objection = objection(to: peer) { return turnAway(channel, peer, objection) }
        do throws(SystemError) {
            try WorkerThread.start(name: "attach", with: channel) { [self] channel in
                conversation.serve(channel, for: peer)
                shares.withLock { $0.give(back: peer.user) }
            }.detach()
        } catch {
            shares.withLock { $0.give(back: peer.user) }
        }
    }

    /// Takes a slot for the peer, or returns the reason why there is none.
    private func objection(to peer: UnixPeer) -> String? {
        shares.withLock { shares in
            shares.take(for: peer.user) ? nil : shares.objection(to: peer.user, of: "connections to the attach socket")
        }
    }

    /// Tells the runner that it may retry, in one message: a new socket always has room for one.
    private func turnAway(_ channel: borrowing AttachChannel, _ peer: UnixPeer, _ reason: String) {
        channel.send(AttachReply.busy(reason: reason))
        registry.tellRefusal(of: peer, because: reason)
    }

    /// Serves a link of the daemon's own, without a runner, for as long as the daemon lives.
    func keep(_ device: consuming LinkDevice, on network: Network, for own: UnixPeer) throws(SimulatorError) {
        guard let place = requestPlace(for: own)?.place else { preconditionFailure("the first client finds no place") }
        let connection = try conversation.networks.join(
            device, to: network, at: place, over: conversation.networks.linkPlan, capture: nil)
        registry.add(
            AttachedClient(
                id: registry.nextID(), peer: own, name: "here", since: MonotonicClock.now(), connection: connection))
    }

    /// A place for a client of the daemon's own; `nil` if none is free.
    func requestPlace(for own: UnixPeer) -> (request: PlaceRequest, place: ClientSlot)? {
        guard let request = try? conversation.places.request(for: own.user) else { return nil }
        if let place = request.place { return (request, place) }
        end(request)
        return nil
    }

    func end(_ request: PlaceRequest) { conversation.places.end(request) }

    /// Serves a device on a LAN.
    /// - Parameters:
    ///   - device: its address.
    /// the configuration for this device.
    ///   - router: the address of its router.
    /// its network, if the plan has none.
    func serve(
        _ link: consuming LinkDevice, of device: EthernetAddress, _ plan: DevicePlan, router: EthernetAddress,
        at place: ClientSlot, on network: Network, for own: UnixPeer
    ) throws -> AttachedClient {
        var links = try conversation.networks.linkPlan.with(plan.wishes)
        links.ethernet = router
        let client = AttachedClient(
            id: registry.nextID(), peer: own, name: plan.name ?? "\(device)", since: MonotonicClock.now(),
            connection: try conversation.networks.join(
                link, to: plan.network ?? network, at: place, over: links, capture: nil),
            device: device)
        registry.add(client)
        return client
    }
}
