// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import Evidence
import LinuxNet
import Topology
import Wire

/// A daemon (`nat64sim serve`) that gives a place to each client of ours.
final class RemoteSimulator: SimulatorBackend {
    private let path: String
    private let wishes: LinkWishes

    /// Maximum time to wait for a place if all are taken.
    private static let timeout = Duration.seconds(120)

    /// - Parameters:
    ///   - path: the daemon's attach socket.
    ///   - wishes: the requested properties of its clients' links.
    init(path: String, wishes: LinkWishes) {
        self.path = path
        self.wishes = wishes
    }

    func reserve(on network: Network, for client: String) throws(CheckFailure) -> any Reservation & ~Copyable {
        do throws(AttachError) {
            return RemoteSlot(
                try Attachment.request(
                    at: path, network: network, client: client, wishes: wishes, waitingFor: Self.timeout
                ) { reason in
                    Console.write("ipv6check: \(reason); waiting …\n")
                })
        } catch {
            throw CheckFailure(error)
        }
    }

    /// Requests come from users of the daemon (`nat64sim network`).
    var hasWishes: Bool { true }

    /// The daemon's log has them.
    var weaknesses: [String] { [] }

    /// The programs are the daemon's.
    var programLimits: ProgramLimits { ProgramLimits() }
    var programOutput: [(service: World.Service, text: String)] { [] }

    /// The daemon keeps running.
    func tellToEnd() {}

    func stop() {}
}

/// A place of the daemon, whose network already exists.
private struct RemoteSlot: Reservation, PreparedSlot, ~Copyable {
    private let attachment: Attachment

    init(_ attachment: consuming Attachment) {
        self.attachment = attachment
    }

    var place: ReservedSlot { ReservedSlot(attachment.place) }

    consuming func prepare() -> any PreparedSlot & ~Copyable { self }

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

    func move(to network: Network?) throws(CheckFailure) -> ReservedSlot {
        do throws(AttachError) {
            return ReservedSlot(try attachment.move(to: network))
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

extension ReservedSlot {
    init(_ place: AttachSlot) {
        self.init(
            network: place.network, links: place.links, resolvers: place.resolvers, prefixes: place.prefixes,
            authority: place.authority)
    }
}
