import Attach
import Evidence
import LinuxNet
import Sandbox
import Simulator
import Wire

/// A daemon (`nat64sim serve`) that gives a place to each client of ours.
final class RemoteSimulator: FarSide {
    private let path: String
    private var attachment: Attachment?

    /// How long to wait for a place where all are taken.
    private static let patience = Duration.seconds(120)

    /// - Parameter path: the daemon's attach socket.
    init(path: String) {
        self.path = path
    }

    func reserve(on network: Network, for client: String) throws(CheckFailure) -> ReservedPlace {
        // The place of the run before is free then, and not one too many.
        attachment = nil
        do throws(AttachError) {
            let attachment = try Attachment.request(
                at: path, network: network, client: client, waitingFor: Self.patience
            ) { places in
                Console.write("ipv6check: all \(places) places of the simulator are taken; waiting for one …\n")
            }
            let place = attachment.place
            self.attachment = consume attachment
            return ReservedPlace(
                network: ClientNetwork(place), links: place.links,
                resolvers: (place.ipv4Resolver.map { [.ipv4($0)] } ?? []) + [.ipv6(place.resolver)],
                prefixes: place.prefixes,
                authority: place.authority)
        } catch {
            throw Self.failure(error)
        }
    }

    func prepare() {}

    func connect(_ tun: consuming TUNDevice, capture: CaptureFile?) throws(CheckFailure) {
        switch try capture?.descriptor() {
        case .some(let file): try connect(tun, captureDescriptor: file.number)
        case nil: try connect(tun, captureDescriptor: nil)
        }
    }

    private func connect(_ tun: borrowing TUNDevice, captureDescriptor: Int32?) throws(CheckFailure) {
        do throws(AttachError) {
            try attachment?.attach(tun, capture: captureDescriptor)
        } catch {
            throw Self.failure(error)
        }
    }

    var hangUpDescriptor: Int32 { attachment?.descriptor ?? -1 }

    func checkThatItIsThere() throws(CheckFailure) {
        do throws(AttachError) {
            try attachment?.checkThatItIsThere()
        } catch {
            throw Self.failure(error)
        }
    }

    func end() throws(CheckFailure) -> NetworkEvidence {
        guard let attachment = attachment.take() else { return NetworkEvidence() }
        do throws(AttachError) {
            return try attachment.end()
        } catch {
            throw Self.failure(error)
        }
    }

    /// The daemon goes on.
    func stop() {}

    private static func failure(_ error: AttachError) -> CheckFailure {
        CheckFailure("--simulator: \(error)", .machineCannot)
    }
}

extension ClientNetwork {
    fileprivate init(_ place: AttachPlace) {
        self.init(
            mtu: place.links.clientMTU,
            ipv4: place.ipv4.map { IPv4(address: $0.address, prefixLength: $0.prefixLength, gateway: $0.gateway) },
            ipv6: IPv6(address: place.ipv6, prefixLength: place.ipv6PrefixLength, gateway: place.ipv6Gateway))
    }
}
