// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import AttachServer
import ConfigurationText
import Evidence
import Glibc
import LinuxNet
import RouterThread
import Sandbox
import Simulator
import Topology
import Wire
import World

/// The process of a run's own simulator, as the runner holds it. It reads what the client sends and has no privileges; the runner has all
/// privileges and reads nothing of that.
///
/// Theory of operation. The process is forked from the runner in the namespace of the world. It makes the world's links and
/// addresses, gives up its rights, and starts the servers. Then it serves one conversation of `AttachRequest`s after
/// another, one for each run:
///
///     runner                                   simulator's process
///     converse (with a socket) ─────────────►
///            ◄──────────────────────────────   ready, or failed
///         … a client's conversation, over that socket …
///     converse (with another one) ──────────►
///         …
///     hangs up                                 ends
struct SimulatorProcess: ~Copyable {
    private var process: SecondProcess
    private let channel: AttachChannel
    /// Weaknesses in its confinement; `nil` until it is ready.
    private(set) var weaknesses: [String]?

    /// Maximum time of a step, without the world's programs. The runner's own limits are shorter when that matters.
    private static let timeout = Duration.seconds(60)
    /// The same with the world's programs.
    private let timeout: Duration

    private enum Order: AttachMessage {
        /// Comes with a socket to the host of the world's programs, if it has any.
        case programs
        /// Comes with the socket of an `UplinkTeller`, if there is an uplink.
        case uplink
        /// There are no further sockets.
        case begin
        case converse(on: Network)

        static let plain: [(message: Order, text: String)] =
            [(.programs, "programs"), (.uplink, "uplink"), (.begin, "begin")]
            + Network.allCases.map { (.converse(on: $0), $0.rawValue) }
    }

    private enum News: AttachMessage {
        case ready(weaknesses: [String])
        case failed(reason: String)

        static let plain: [(message: News, text: String)] = [(.ready(weaknesses: []), "ready")]
    }

    /// The calling process must still have only one thread.
    /// - Parameters:
    ///   - programs: a socket to the host of the world's programs; `nil` if the world has none.
    ///   - uplink: the other end of an `UplinkTeller`; `nil` if there is no uplink.
    init(
        _ configuration: SimulatorConfiguration, programs: consuming UnixSocket?, uplink: consuming UnixSocket?
    ) throws(SystemError) {
        let world = configuration.world
        timeout = Self.timeout + world.programStartLimit + world.programRenewalLimit
        let pair = try UnixSocket.pair()
        process = try SecondProcess.start(name: "simulator", from: pair.first, to: pair.second) { socket, parent in
            Self.live(AttachChannel(socket), configuration, parent: parent)
        }
        channel = AttachChannel(pair.first)
        hand(over: programs, as: .programs)
        hand(over: uplink, as: .uplink)
        channel.send(Order.begin)
    }

    /// Sends the socket to the process, and closes it here.
    private borrowing func hand(over socket: consuming UnixSocket?, as order: Order) {
        switch consume socket {
        case .some(let socket): channel.send(order, descriptor: socket.descriptor)
        case nil: return
        }
    }

    /// Waits until the world is ready.
    mutating func waitUntilReady() throws(CheckFailure) {
        if weaknesses != nil { return }
        switch channel.receive(News.self, until: MonotonicClock.now() + timeout) {
        case .message(.ready(let weaknesses), _): self.weaknesses = weaknesses
        case .message(.failed(let reason), _): throw CheckFailure(reason, .machineCannot)
        default: throw death()
        }
    }

    /// The next client's conversation. It begins when the world is ready.
    func converse(on network: Network, at place: AttachSlot) throws(CheckFailure) -> Attachment {
        let pair = try CheckFailure.wrapping { () throws(SystemError) in try UnixSocket.pair() }
        hand(over: pair.second, on: network)
        return Attachment(over: AttachChannel(pair.first), at: place, answeringWithin: timeout)
    }

    /// Sends the socket to the process, and closes it here, so that the other end of the conversation shows the end of the process.
    private borrowing func hand(over socket: consuming UnixSocket, on network: Network) {
        channel.send(Order.converse(on: network), descriptor: socket.descriptor)
    }

    /// The failure behind a missing answer or a refusal.
    mutating func failure(_ error: AttachError) -> CheckFailure {
        switch error {
        case .refused(let reason): CheckFailure(reason, .machineCannot)
        default: death()
        }
    }

    /// Why the process does not answer any more.
    mutating func death() -> CheckFailure {
        CheckFailure("the simulator's process \(process.explanation()); nothing is known of this run", .machineCannot)
    }

    /// Tells the process to end, without waiting for it; `end` waits.
    borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends the process, and waits for that.
    consuming func end() {}

    // MARK: - In the process

    /// Sockets that the process cannot open itself.
    private struct Held: ~Copyable {
        var programs: UnixSocket?
        var uplink: UnixSocket?

        /// Receives the sockets from the runner; `nil` if the channel ends meanwhile.
        init?(from channel: borrowing AttachChannel) {
            while true {
                switch channel.receive(Order.self, until: nil) {
                case .message(.programs, let socket?): programs = UnixSocket(owning: socket)
                case .message(.uplink, let socket?): uplink = UnixSocket(owning: socket)
                case .message(.begin, _): return
                default: return nil
                }
            }
        }
    }

    private static func live(
        _ channel: consuming AttachChannel, _ configuration: SimulatorConfiguration, parent: Int32
    ) {
        var configuration = configuration
        do {
            guard var held = Held(from: channel) else { return }
            switch held.programs.take() {
            case .some(let socket): configuration.programs = ProgramStarter(over: socket)
            case nil: break
            }
            let links = try WorldLinks(configuration)
            DescriptorLimit.raise()
            Simulator.load(configuration)
            let weaknesses = try Confinement.enter(endingWith: parent)
            let simulator = try Simulator(configuration, links: links)
            switch held.uplink.take() {
            case .some(let socket): try UplinkListener.start(socket, for: simulator)
            case nil: break
            }
            channel.send(News.ready(weaknesses: weaknesses))
            let conversation = AttachConversation(
                simulator, Places(simulator.places, on: simulator.linkPlan.client), NoRegister(), authority: nil,
                trustsRunner: true)
            let peer = UnixPeer(user: 0, group: 0, process: parent)
            var isFirst = true
            while case .message(.converse(let network), let socket?) = channel.receive(Order.self, until: nil) {
                let client = AttachChannel(UnixSocket(owning: socket))
                do throws(SimulatorError) {
                    if !isFirst { try simulator.renewPrograms() }
                    conversation.serve(client, on: network, for: peer)
                } catch {
                    conversation.refuse(client, peer, "\(error)")
                }
                isFirst = false
            }
            // The kernel cleans up faster than the servers would.
            withExtendedLifetime((simulator, conversation)) { _exit(EXIT_SUCCESS) }
        } catch {
            channel.send(News.failed(reason: "\(error)"))
        }
    }

    /// The runner keeps track of its clients itself.
    private struct NoRegister: ClientRegister {
        func nextID() -> UInt64 { 1 }
        func add(_ client: AttachedClient) {}
        var keepsCounts: Bool { false }
        func remove(_ client: AttachedClient, last: PathSnapshot?) {}
        func tellLoss(of client: AttachedClient, _ loss: String) {}
        func tellRefusal(of peer: UnixPeer, because reason: String) {}
    }
}
