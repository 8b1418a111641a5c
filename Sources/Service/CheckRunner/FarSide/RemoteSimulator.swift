// SPDX-License-Identifier: Apache-2.0
import Attach
import ConfigurationText
import Evidence
import LinuxNet
import Topology
import Wire

/// A daemon (`nat64sim serve`) that gives a place to each client of ours.
final class RemoteSimulator: FarSide {
    private let path: String
    private let wishes: LinkWishes

    /// How long to wait for a place where all are taken.
    private static let timeout = Duration.seconds(120)

    /// - Parameters:
    ///   - path: the daemon's attach socket.
    ///   - wishes: what its clients' links are to be like.
    init(path: String, wishes: LinkWishes) {
        self.path = path
        self.wishes = wishes
    }

    func reserve(on network: Network, for client: String) throws(CheckFailure) -> any Reservation & ~Copyable {
        do throws(AttachError) {
            return RemotePlace(
                try Attachment.request(
                    at: path, network: network, client: client, wishes: wishes, waitingFor: Self.timeout
                ) { reason in
                    Console.write("ipv6check: \(reason); waiting …\n")
                })
        } catch {
            throw CheckFailure(error)
        }
    }

    /// Of those who ask the daemon (`nat64sim network`).
    var hasWishes: Bool { true }

    /// The daemon's log has them.
    var weaknesses: [String] { [] }

    /// They are the daemon's.
    var programLimits: ProgramLimits { ProgramLimits() }
    var programOutput: [(service: World.Service, text: String)] { [] }

    /// The daemon goes on.
    func tellToEnd() {}

    func stop() {}
}

/// The daemon has its network already.
private struct RemotePlace: Reservation, PreparedPlace, ~Copyable {
    private let attachment: Attachment

    init(_ attachment: consuming Attachment) {
        self.attachment = attachment
    }

    var place: ReservedPlace { ReservedPlace(attachment.place) }

    consuming func prepare() -> any PreparedPlace & ~Copyable { self }

    consuming func connect(
        _ device: consuming LinkDevice, capture: CaptureFile?, keepsPayloads: Bool
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable {
        let hasCapture = capture != nil
        switch try capture?.descriptor() {
        case .some(let file): try attach(device, file.number, keepsPayloads)
        case nil: try attach(device, nil, keepsPayloads)
        }
        return RemoteConnection(attachment, hasCapture: hasCapture)
    }

    private func attach(_ device: borrowing LinkDevice, _ capture: Int32?, _ keepsPayloads: Bool) throws(CheckFailure) {
        do throws(AttachError) {
            try attachment.attach(device, capture: capture, keepsPayloads: keepsPayloads)
        } catch {
            throw CheckFailure(error)
        }
    }
}

private struct RemoteConnection: ClientConnection, ~Copyable {
    private let attachment: Attachment
    private let hasCapture: Bool

    init(_ attachment: consuming Attachment, hasCapture: Bool) {
        self.attachment = attachment
        self.hasCapture = hasCapture
    }

    var hangUpDescriptor: Int32 { attachment.descriptor }

    func news() throws(CheckFailure) -> Attachment.News? {
        do throws(AttachError) {
            return try attachment.news()
        } catch {
            throw CheckFailure(error)
        }
    }

    func move(to network: Network?) throws(CheckFailure) -> ReservedPlace {
        do throws(AttachError) {
            return ReservedPlace(try attachment.move(to: network))
        } catch {
            throw CheckFailure(error)
        }
    }

    func arrive() { attachment.arrive() }

    consuming func end() throws(CheckFailure) -> NetworkEvidence {
        do throws(AttachError) {
            return try attachment.end(hasCapture: hasCapture)
        } catch {
            throw CheckFailure(error)
        }
    }
}

extension CheckFailure {
    fileprivate init(_ error: AttachError) {
        self.init("--simulator: \(error)", .machineCannot)
    }
}

extension ReservedPlace {
    init(_ place: AttachPlace) {
        self.init(
            network: place.network, links: place.links, resolvers: place.resolvers, prefixes: place.prefixes,
            authority: place.authority)
    }
}
