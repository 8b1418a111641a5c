// SPDX-License-Identifier: Apache-2.0
package import AttachProtocol
import Capture
package import Evidence
package import LinuxNet
import RouterThread
import Router
import Topology
import Wire

/// A conversation with one runner, from its hello to the evidence of its client (see `AttachRequest`).
///
/// Theory of operation. `serve` blocks while the runner sends nothing, and while the client's evidence is summed up: each
/// conversation has a thread of its own, so no runner waits for another one's. The runner is not trusted: a descriptor is checked
/// before it is used, and each step has a timeout.
package struct AttachConversation: Sendable {
    package let networks: any ClientNetworks
    package let places: Places
    private let register: any ClientRegister
    private let authority: String?
    /// Whether the runner is this program itself, and may capture into any writable file.
    private let trustsRunner: Bool

    /// The name of the file that the runner hands over, in errors: its path is not known here.
    package static let captureName = "the capture"

    /// Timeout for a step of the runner, which makes its client's namespace meanwhile.
    private static let timeout = Duration.seconds(30)
    /// Timeout for the hello. A runner that has connected has nothing to do before it.
    private static let helloTimeout = Duration.seconds(5)
    /// Time of each second for which a packet path may wait for the file system that an untrusted runner chose for its capture. The
    /// path has to answer others all the same.
    private static let captureWait = Duration.milliseconds(100)
    private static let questionTimeout = Duration.seconds(2)

    /// - Parameters:
    ///   - authority: the certificate of the CA that clients are to trust (PEM); `nil` if there is none.
    ///   - trustsRunner: whether the runner is this program itself.
    package init(
        _ networks: any ClientNetworks, _ places: Places, _ register: any ClientRegister, authority: String?,
        trustsRunner: Bool = false
    ) {
        self.networks = networks
        self.places = places
        self.register = register
        self.authority = authority
        self.trustsRunner = trustsRunner
    }

    /// Serves the runner at the other end until either hangs up.
    package func serve(_ channel: borrowing AttachChannel, for peer: UnixPeer) {
        guard
            case .message(.hello(let version, let network, let name, let wishes), _) = receive(
                channel, within: Self.helloTimeout)
        else { return }
        guard version == AttachRequest.version else {
            return refuse(
                channel, peer,
                "it speaks version \(AttachRequest.version) of the attach protocol and not \(version); use an ipv6check of its release"
            )
        }
        let links: LinkPlan
        do throws(LinkWishes.Mistake) {
            links = try networks.linkPlan.with(wishes ?? LinkWishes())
        } catch {
            return refuse(channel, peer, "\(error)")
        }
        guard let request = try? places.request(for: peer.user) else { return }
        if let place = awaitPlace(channel, request) {
            let id = register.nextID()
            let description = describe(place, on: network, over: links, for: id)
            channel.send(AttachReply.place(place: description))
            attach(channel, peer, name, id, place, network, links, knowing: description.prefixes)
        }
        places.end(request)
    }

    /// `nil` if the runner hangs up before it has a place.
    private func awaitPlace(_ channel: borrowing AttachChannel, _ request: PlaceRequest) -> ClientSlot? {
        if let place = request.place { return place }
        channel.send(AttachReply.waiting(reason: places.reason(for: request)))
        _ = waitForInput(channel.descriptor, request.descriptor, until: nil)
        return request.place
    }

    /// Serves the only runner of this process, which knows its place already: a conversation without a hello.
    package func serve(_ channel: borrowing AttachChannel, on network: Network, for peer: UnixPeer) {
        guard let request = try? places.request(for: peer.user) else { return }
        if let place = request.place {
            attach(
                channel, peer, "", register.nextID(), place, network, networks.linkPlan,
                knowing: prefixes(on: network))
        }
        places.end(request)
    }

    /// Sends the runner the reason why it is not served.
    package func refuse(_ channel: borrowing AttachChannel, _ peer: UnixPeer, _ reason: String) {
        channel.send(AttachReply.refused(reason: reason))
        register.tellRefusal(of: peer, because: reason)
    }

    /// - Parameter known: the Pref64s that the runner knows.
    private func attach(
        _ channel: borrowing AttachChannel, _ peer: UnixPeer, _ name: String, _ id: UInt64, _ place: ClientSlot,
        _ network: Network, _ links: LinkPlan, knowing known: [String]
    ) {
        var capture: CaptureTap?
        var keepsPayloads = false
        while true {
            switch receive(channel, within: Self.timeout) {
            case .message(.capture, let file?):
                guard trustsRunner || file.isRegularFile else {
                    return refuse(channel, peer, "the capture is no regular file")
                }
                do throws(CaptureError) {
                    capture = try CaptureTap(
                        try PacketFileWriter(file: file, name: Self.captureName), name: Self.captureName,
                        waiting: trustsRunner ? CaptureTap.ownWait : Self.captureWait)
                } catch {
                    return refuse(channel, peer, "\(error)")
                }
            case .message(.keepPayloads, _): keepsPayloads = true
            case .message(.attach, let file?):
                // The payloads of other clients are not kept.
                let payloads =
                    keepsPayloads
                    ? PayloadTap(
                        of: Network.allCases.flatMap(place.linkAddresses),
                        resolvers: Network.dualStack.entry.resolvers(on: place.link), next: capture)
                    : nil
                do {
                    let device = try LinkDevice(adopting: file)
                    let tap: (any PacketTap)? = if let payloads { payloads } else { capture }
                    let connection = try networks.join(device, to: network, at: place, over: links, capture: tap)
                    let client = AttachedClient(
                        id: id, peer: peer, name: name, since: MonotonicClock.now(), connection: connection,
                        runner: try? RunnerLine(beside: channel, on: network))
                    register.add(client)
                    // If prefixes changed between `join` and `add`, its router does not have them yet.
                    if prefixes(on: network) != known { connection.move(to: network) }
                    channel.send(AttachReply.attached)
                    catchUp(client, knowing: known)
                    // Done now, while the client runs.
                    if trustsRunner { EvidenceFile.prepareToMake() }
                    attend(channel, client, links, capture, payloads)
                } catch {
                    refuse(channel, peer, "what was handed over cannot be used as a link: \(error)")
                }
                return
            default:
                return
            }
        }
    }

    /// Waits for the end of a client, and sends its runner the evidence.
    private func attend(
        _ channel: borrowing AttachChannel, _ client: AttachedClient, _ links: LinkPlan, _ capture: CaptureTap?,
        _ payloads: PayloadTap?
    ) {
        let isAsked = awaitEnd(channel, client, links)
        let last =
            register.keepsCounts
            ? try? client.connection.snapshot().answer(until: MonotonicClock.now() + Self.questionTimeout) : nil
        var evidence = client.connection.end()
        evidence.payloads = payloads?.payloads
        let loss = loss(of: capture)
        register.remove(client, last: last)
        client.runner?.end()
        if let loss { register.tellLoss(of: client, loss) }
        if isAsked {
            if let loss {
                channel.send(AttachReply.refused(reason: loss))
            } else if let file = try? EvidenceFile.make(evidence) {
                channel.send(AttachReply.evidence, descriptor: file.number)
            }
        }
        // The place stays taken while the capture's thread hangs, so that there are never more such threads than places.
        if loss != nil { capture?.awaitEnd() }
    }

    /// Moves the client as often as its runner asks for it.
    /// - Returns: whether the runner asks for the evidence.
    private func awaitEnd(
        _ channel: borrowing AttachChannel, _ client: AttachedClient, _ links: LinkPlan
    ) -> Bool {
        while true {
            switch channel.receive(AttachRequest.self, until: nil) {
            case .message(.move(let network), _):
                client.runner?.leave()
                client.connection.move(to: network)
                let description = describe(client.connection.place, on: network, over: links, for: client.id)
                channel.send(AttachReply.moved(place: description))
                catchUp(client, knowing: description.prefixes)
            case .message(.arrived, _): client.runner?.arrive(on: client.connection.network)
            case .message(.detach, _): return true
            default: return false
            }
        }
    }

    /// Sends the runner prefixes that changed while it waited for an answer, as it skips other messages then.
    private func catchUp(_ client: AttachedClient, knowing known: [String]) {
        if prefixes(on: client.connection.network) != known { client.tellPrefixes(networks.prefixes) }
    }

    /// The reason why the capture is incomplete; `nil` if it is complete.
    private func loss(of capture: CaptureTap?) -> String? {
        do throws(CaptureError) {
            try capture?.close()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func receive(
        _ channel: borrowing AttachChannel, within limit: Duration
    ) -> AttachChannel.Received<AttachRequest> {
        channel.receive(AttachRequest.self, until: MonotonicClock.now() + limit)
    }

    /// - Parameter network: `nil` if the client has none.
    private func describe(
        _ place: ClientSlot, on network: Network?, over links: LinkPlan, for id: UInt64
    ) -> AttachSlot {
        AttachSlot(
            client: id, links: links.described,
            network: network.map { place.clientNetwork(on: $0, links) } ?? place.withoutNetwork(links),
            resolvers: network?.entry.resolvers(on: place.link) ?? [],
            prefixes: prefixes(on: network),
            authority: authority)
    }

    private func prefixes(on network: Network?) -> [String] {
        network?.entry.hasNAT64 == true ? networks.prefixes.map { "\($0)" } : []
    }
}
