import ConfigurationText
import Topology
import Attach
import Capture
import Control
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Logging
import PacketPath
import Sandbox
import Simulator
import Synchronization
import Wire
import World

/// Serves the attach socket: who connects is given a place, hands over a TUN, and is served until either goes.
///
/// Theory of operation. `acceptAll` takes the connections that wait, each onto a thread of its own, which blocks where its
/// runner has nothing to say, and while the client's evidence is summed up: no runner waits for another one's. Nothing that a runner says is believed: a descriptor is looked at before it is used, each
/// step has its time, and there are only so many threads.
final class AttachService: Sendable {
    private let simulator: any ClientNetworks
    private let registry: Registry
    private let places: Places
    private let authority: String?
    private let admission: Admission
    private let threads = Mutex(0)

    /// Connections beyond the places that may wait for one.
    private static let mostWaiting = 64
    /// How long a runner may take for a step.
    private static let patience = Duration.seconds(30)

    /// - Parameter authority: the certificate of the CA that clients are to trust (PEM); `nil` if there is none.
    init(_ simulator: any ClientNetworks, _ registry: Registry, authority: String?, admission: Admission) {
        self.simulator = simulator
        self.registry = registry
        self.authority = authority
        self.admission = admission
        places = Places(simulator.places)
    }

    /// Accepts the runners that wait at the socket.
    func acceptAll(_ listener: borrowing UnixSocketFile) {
        while let socket = listener.accept() {
            let most = simulator.places + Self.mostWaiting
            let hasRoom = threads.withLock { threads in
                guard threads < most else { return false }
                threads += 1
                return true
            }
            // If there is no thread for it, the connection is closed; a runner asks again.
            guard hasRoom else { continue }
            do throws(SystemError) {
                try WorkerThread.start(name: "attach", with: AttachChannel(socket)) { [self] channel in
                    serve(channel)
                    threads.withLock { $0 -= 1 }
                }.detach()
            } catch {
                threads.withLock { $0 -= 1 }
            }
        }
    }

    /// Serves a TUN of this process's own, without a runner, for as long as the daemon lives.
    func keep(_ tun: consuming TUNDevice, on network: Network) throws(SimulatorError) {
        guard let place = places.take() else { preconditionFailure("the first client finds no place") }
        let connection = try simulator.join(tun, to: network, at: place, capture: nil)
        let own = UnixPeer(user: geteuid(), group: getegid(), process: getpid())
        registry.add(
            AttachedClient(
                id: registry.nextID(), peer: own, name: "here", since: Date(), connection: connection))
    }

    // MARK: - One runner

    private func serve(_ channel: consuming AttachChannel) {
        guard let peer = channel.peer else { return }
        guard admission.permits(peer, memberOf: { channel.peerIsMember(ofGroup: $0) }) else {
            return refuse(
                channel, peer, "user \(peer.user) may not attach; the configuration says who may (clients: group)")
        }
        guard case .message(.hello(let version, let network, let name), _) = receive(channel) else { return }
        guard version == AttachRequest.version else {
            return refuse(
                channel, peer,
                "it speaks version \(AttachRequest.version) of the attach protocol and not \(version); use an ipv6check of its release"
            )
        }
        guard let place = places.take() else {
            channel.send(AttachReply.busy(places: simulator.places))
            return
        }
        let id = registry.nextID()
        channel.send(AttachReply.place(place: describe(place, on: network, for: id)))
        attach(channel, peer, String(printable: name), id, place, network)
        places.give(back: place)
    }

    private func attach(
        _ channel: borrowing AttachChannel, _ peer: UnixPeer, _ name: String, _ id: UInt64, _ place: ClientPlace,
        _ network: Network
    ) {
        var capture: CaptureTap?
        while true {
            switch receive(channel) {
            case .message(.capture, let file?):
                guard file.isRegularFile else { return refuse(channel, peer, "the capture is no regular file") }
                do throws(CaptureError) {
                    capture = CaptureTap(try PacketFileWriter(file: file, name: "the capture"))
                } catch {
                    return refuse(channel, peer, "\(error)")
                }
            case .message(.attach, let file?):
                do {
                    let tun = try TUNDevice(adopting: file)
                    let connection = try simulator.join(tun, to: network, at: place, capture: capture)
                    let client = AttachedClient(
                        id: id, peer: peer, name: name, since: Date(), connection: connection)
                    registry.add(client)
                    channel.send(AttachReply.attached)
                    attend(channel, client, capture)
                } catch {
                    refuse(channel, peer, "what was handed over cannot be used as a TUN: \(error)")
                }
                return
            default:
                return
            }
        }
    }

    /// Waits for the end of a client, and tells its runner what was seen.
    private func attend(_ channel: borrowing AttachChannel, _ client: AttachedClient, _ capture: CaptureTap?) {
        let isAsked =
            if case .message(.detach, _) = channel.receive(AttachRequest.self, until: nil) { true } else { false }
        let last = client.connection.snapshot()
        let evidence = client.connection.end()
        let captureFailure = close(capture)
        registry.remove(client, last: last)
        guard isAsked else { return }
        if let captureFailure {
            channel.send(AttachReply.refused(reason: captureFailure))
        } else if let file = try? EvidenceFile.make(evidence) {
            channel.send(AttachReply.evidence, descriptor: file.number)
        }
    }

    private func close(_ capture: CaptureTap?) -> String? {
        do throws(CaptureError) {
            try capture?.close()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func receive(_ channel: borrowing AttachChannel) -> AttachChannel.Received<AttachRequest> {
        channel.receive(AttachRequest.self, until: MonotonicClock.now() + Self.patience)
    }

    private func refuse(_ channel: borrowing AttachChannel, _ peer: UnixPeer, _ reason: String) {
        channel.send(AttachReply.refused(reason: reason))
        registry.tell(
            .clientRefused, level: .warning, "refused: \(reason)", ["reason": reason, "uid": "\(peer.user)"])
    }

    private func describe(_ place: ClientPlace, on network: Network, for id: UInt64) -> AttachPlace {
        AttachPlace(
            client: id, links: simulator.linkPlan.conditions,
            network: place.clientNetwork(on: network, simulator.linkPlan),
            resolvers: ClientPlace.resolvers(on: network),
            prefixes: network == .nat64 ? simulator.prefixes.map { "\($0)" } : [],
            authority: authority)
    }
}
