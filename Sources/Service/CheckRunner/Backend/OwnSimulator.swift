// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import AttachServer
import ConfigurationText
import DNS64
import Evidence
import LinuxNet
import Sandbox
import Simulator
import Topology
import Translation
import Uplink
import Wire
import World

/// A simulator of the run's own, in a process that ends with this one. Everything that needs privileges stays here: the files of captures,
/// the programs that serve in the world, and the uplink.
final class OwnSimulator: SimulatorBackend {
    private let world: World
    private let links: LinkPlan
    private let nat64: [NAT64Setting]
    /// The certificate of the test CA (PEM); the simulator's process has its key. `nil` if real servers have certificates of their own.
    private let authority: String?
    private let uplink: HostUplink?
    private var process: SimulatorProcess?
    private let host: ProgramHost
    /// This process's end of the socket to the program host, until the host's thread takes it.
    private var waitingPrograms: UnixSocket?
    private var programs: WorkerThread?

    /// The process must be in the namespace in which the world is made, and still have only one thread.
    /// - Parameter uplink: the uplink out of that namespace; `nil` is none. It is closed with the simulator.
    init(
        world: World, links: LinkPlan, nat64: [NAT64Setting], publishedPorts: [UInt16], uplink: HostUplink?
    ) throws(CheckFailure) {
        let links = uplink.map { links.on($0.network.link) } ?? links
        self.links = links
        self.nat64 = nat64
        self.world = world
        self.uplink = uplink
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority()
        } catch {
            throw CheckFailure("cannot make the test CA: \(error)", .machineCannot)
        }
        self.authority = uplink == nil ? authority.certificatePEM : nil
        host = try CheckFailure.wrapping { () throws(ServiceStartError) in
            try ProgramHost(world, keepsOutput: true)
        }
        var inner = world
        // A run has a log of its own; the server's is not read.
        inner.dns64.limits.loggedQueries = 1
        var configuration = SimulatorConfiguration(world: inner, links: links, authority: authority)
        configuration.servingStart = .late
        for setting in nat64 { setting.apply(to: &configuration.nat64) }
        configuration.publishedPorts = publishedPorts
        configuration.uplink = uplink?.network
        var programs: UnixSocket?
        if !host.isEmpty {
            let pair = try CheckFailure.wrapping { () throws(SystemError) in try UnixSocket.pair() }
            waitingPrograms = Self.some(pair.first)
            programs = Self.some(pair.second)
        }
        var news: UnixSocket?
        var teller: UplinkTeller?
        if uplink != nil {
            let pair = try CheckFailure.wrapping { () throws(SystemError) in try UnixSocket.pair() }
            teller = UplinkTeller(pair.first)
            news = Self.some(pair.second)
        }
        do throws(SystemError) {
            process = try SimulatorProcess(configuration, programs: programs, uplink: news)
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        if let uplink, let teller {
            try CheckFailure.wrapping { () throws(UplinkError) in try uplink.keepUpToDate { teller.tell($0) } }
        }
    }

    private static func some(_ socket: consuming UnixSocket) -> UnixSocket? { socket }

    func reserve(on network: Network, for client: String) -> any Reservation & ~Copyable {
        let place = ReservedSlot(
            network: ClientSlot(0, on: links.client).clientNetwork(on: network, links), links: conditions,
            resolvers: network.entry.resolvers(on: links.client),
            prefixes: network.entry.hasNAT64 ? world.translatedPrefixes.map { "\($0)" } : [],
            authority: authority)
        return OwnReservation(place: place, network: network, owner: self)
    }

    /// The conditions of the links, for the report.
    private var conditions: LinkConditions {
        var conditions = links.described
        conditions.nat64 = nat64.map { "nat64 \($0)" }
        return conditions
    }

    /// Has the world serve a client. The world may not be ready yet: answers in the client's conversation wait for that.
    fileprivate func converse(on network: Network, at place: ReservedSlot) throws(CheckFailure) -> Attachment {
        guard process != nil else { throw CheckFailure("the simulator has been stopped", .machineCannot) }
        // Before the world is ready: the world waits for some programs.
        switch waitingPrograms.take() {
        case .some(let socket):
            let host = host
            programs = try CheckFailure.wrapping(socket) { (socket) throws(SystemError) in
                try WorkerThread.start(name: "programs", with: socket) { host.serve($0) }
            }
        case nil: break
        }
        let known = AttachSlot(
            client: 1, links: place.links, network: place.network, resolvers: place.resolvers, prefixes: place.prefixes,
            authority: place.authority)
        let attachment = try process!.converse(on: network, at: known)
        // Uses the time until the simulator's process answers.
        EvidenceFile.prepareToRead()
        return attachment
    }

    /// Waits until the world is ready, which takes no time after its first answer.
    fileprivate func hearOfWorld() throws(CheckFailure) { try process?.waitUntilReady() }

    /// The failure behind a missing answer or a refusal.
    fileprivate func failure(_ error: AttachError) -> CheckFailure {
        guard process != nil else { return CheckFailure("\(error)", .machineCannot) }
        do throws(CheckFailure) {
            // If the world could not be made, this reports the reason.
            try hearOfWorld()
        } catch {
            return error
        }
        return process!.failure(error)
    }

    var hasWishes: Bool { false }

    var weaknesses: [String] {
        process?.weaknesses ?? []
    }

    var programLimits: ProgramLimits {
        ProgramLimits(start: world.programStartLimit + world.programRenewalLimit, end: world.programGrace)
    }
    var programOutput: [(service: World.Service, text: String)] { host.output }

    func tellToEnd() { process?.tellToEnd() }

    func stop() {
        process.take()?.end()
        // The thread ends with the programs, for which this waits.
        programs.take()?.join()
        uplink?.close()
    }
}

private struct OwnReservation: Reservation, ~Copyable {
    let place: ReservedSlot
    let network: Network
    let owner: OwnSimulator

    consuming func prepare() throws(CheckFailure) -> any PreparedSlot & ~Copyable {
        OwnSlot(attachment: try owner.converse(on: network, at: place), owner: owner)
    }
}

private struct OwnSlot: PreparedSlot, ~Copyable {
    let attachment: Attachment
    let owner: OwnSimulator

    consuming func connect(
        _ device: consuming LinkDevice, capture: CaptureFile?, keepsPayloads: Bool
    ) throws(CheckFailure) -> any ClientConnection & ~Copyable {
        // No file is created, or emptied, for a world that cannot be made.
        if capture != nil { try owner.hearOfWorld() }
        switch try capture?.descriptor() {
        case .some(let file): try attach(device, file.number, keepsPayloads)
        case nil: try attach(device, nil, keepsPayloads)
        }
        return OwnConnection(attachment: attachment, capture: capture, owner: owner)
    }

    private func attach(_ device: borrowing LinkDevice, _ capture: Int32?, _ keepsPayloads: Bool) throws(CheckFailure) {
        do throws(AttachError) {
            try attachment.attach(device, capture: capture, keepsPayloads: keepsPayloads)
        } catch {
            throw owner.failure(error)
        }
        try owner.hearOfWorld()
    }
}

private struct OwnConnection: ClientConnection, ~Copyable {
    let attachment: Attachment
    let capture: CaptureFile?
    let owner: OwnSimulator

    var hangUpDescriptor: Int32 { attachment.descriptor }

    func news() throws(CheckFailure) -> Attachment.News? {
        do throws(AttachError) {
            return try attachment.news()
        } catch {
            throw owner.failure(error)
        }
    }

    func move(to network: Network?) throws(CheckFailure) -> ReservedSlot {
        do throws(AttachError) {
            return ReservedSlot(try attachment.move(to: network))
        } catch {
            throw owner.failure(error)
        }
    }

    func arrive() { attachment.arrive() }

    consuming func end() throws(CheckFailure) -> NetworkEvidence {
        let (capture, owner) = (capture, owner)
        do throws(AttachError) {
            return try attachment.end(hasCapture: capture != nil)
        } catch {
            // The only refusal in place of the evidence concerns the capture.
            if case .refused(let reason) = error, let capture { throw capture.failure(ofWriter: reason) }
            throw owner.failure(error)
        }
    }
}
