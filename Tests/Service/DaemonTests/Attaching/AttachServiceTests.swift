// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import Control
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Synchronization
import TestSupport
import Testing
import Topology
import Translation
import Wire

@testable import Daemon

/// A runner's side is played by hand, message by message.
struct AttachServiceTests {
    private let registry = Registry()
    private let networks: FakeNetworks
    private let service: AttachService
    private let path = "/tmp/nat64sim-attach-\(UUID().uuidString).sock"

    init() throws {
        networks = try FakeNetworks(places: 1)
        service = AttachService(
            networks, registry, authority: nil,
            admission: AttachAdmission(user: geteuid(), group: nil, admitsEveryone: false))
    }

    /// Connects, and has the service take the connection.
    private func connect(_ listener: borrowing UnixSocketFile) throws -> AttachChannel {
        let channel = AttachChannel(try UnixSocket.connect(to: path))
        service.accept(listener.listener)
        return channel
    }

    private func listen() throws -> UnixSocketFile { try UnixSocketFile(at: path, .messages, mode: 0o600, group: nil) }

    private func hello(_ channel: borrowing AttachChannel, version: Int = AttachRequest.version) {
        channel.send(
            AttachRequest.hello(version: version, network: .nat64, client: "a\u{1b}[31mb", wishes: LinkWishes()))
    }

    /// The service's next message; nil if it has closed the connection.
    private func reply(on channel: borrowing AttachChannel) throws -> AttachReply? {
        switch channel.receive(AttachReply.self, until: MonotonicClock.now() + .seconds(10)) {
        case .message(let reply, _): return reply
        case .closed: return nil
        case .nonsense: throw Unexpected()
        case .timedOut: throw Unexpected()
        }
    }

    private struct Unexpected: Error {}

    /// A connection's place is free again only when its thread has seen that it hung up.
    private func placeAgain(_ listener: borrowing UnixSocketFile) throws -> Bool {
        let limit = MonotonicClock.now() + .seconds(10)
        while MonotonicClock.now() < limit {
            let channel = try connect(listener)
            hello(channel)
            if case .place = try reply(on: channel) { return true }
            sleep(until: MonotonicClock.now() + .milliseconds(10))
        }
        return false
    }

    @Test func `gives a place, and gives it to others once its runner has gone`() throws {
        let listener = try listen()
        try takeAndLeave(listener)
        #expect(try placeAgain(listener))
    }

    private func takeAndLeave(_ listener: borrowing UnixSocketFile) throws {
        let first = try connect(listener)
        hello(first)
        guard case .place(let place) = try reply(on: first) else { throw Unexpected() }
        #expect(place.client == 1)
        #expect(place.prefixes == ["64:ff9b::/96"])
        let second = try connect(listener)
        hello(second)
        #expect(try reply(on: second) == .waiting(reason: "all 1 slots of the simulator are in use"))
        _ = consume first
        guard case .place = try reply(on: second) else { throw Unexpected() }
    }

    @Test func `refuses another version of the protocol, and says so`() async throws {
        let stream = try registry.events.subscribe()
        let listener = try listen()
        let channel = try connect(listener)
        hello(channel, version: 99)
        guard case .refused(let reason) = try reply(on: channel) else { throw Unexpected() }
        #expect(reason.contains("version \(AttachRequest.version)"))
        #expect(try reply(on: channel) == nil)
        #expect(await collect(stream, registry).map(\.kind) == [.clientRefused])
    }

    @Test func `hangs up on whoever does not begin with a hello`() throws {
        let listener = try listen()
        let channel = try connect(listener)
        channel.send(AttachRequest.detach)
        #expect(try reply(on: channel) == nil)
        #expect(registry.clients.isEmpty)
    }

    @Test func `takes no descriptor for what it is not`() throws {
        let listener = try listen()
        let null = try Descriptor.open("/dev/null", flags: O_RDWR)
        for (request, reason) in [
            (AttachRequest.capture, "the capture is no regular file"),
            (.attach, "what was handed over cannot be used as a link"),
        ] {
            try refuse(request, null.number, reason, listener)
        }
        #expect(try placeAgain(listener))
        #expect(registry.clients.isEmpty)
    }

    private func refuse(
        _ request: AttachRequest, _ descriptor: Int32, _ reason: String, _ listener: borrowing UnixSocketFile
    ) throws {
        let limit = MonotonicClock.now() + .seconds(10)
        while MonotonicClock.now() < limit {
            let channel = try connect(listener)
            hello(channel)
            guard case .place = try reply(on: channel) else { continue }
            channel.send(request, descriptor: descriptor)
            guard case .refused(let said) = try reply(on: channel) else { throw Unexpected() }
            #expect(said.hasPrefix(reason))
            #expect(try reply(on: channel) == nil)
            return
        }
        throw Unexpected()
    }

    /// A change does not find a client that is still attaching, and a runner that waits for an answer gets no other message.
    @Test(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
    func `tells a runner of prefixes that changed while its client came, or moved`() throws {
        try OwnNetwork.run {
            let prefixes = try ["2001:db8:64::/96", "2001:db8:65::/96"].map { try Pref64($0) }
            let tun = try TUNDevice.create(name: "test0")
            let listener = try listen()
            let channel = try connect(listener)
            networks.change(to: prefixes[0], from: .wellKnown)
            hello(channel)
            guard case .place(let place) = try reply(on: channel) else { throw Unexpected() }
            #expect(place.prefixes == ["64:ff9b::/96"])
            channel.send(AttachRequest.attach, descriptor: tun.descriptor)
            #expect(try reply(on: channel) == .attached)
            #expect(try reply(on: channel) == .prefixes(["2001:db8:64::/96"]))
            networks.change(to: prefixes[1], from: prefixes[0])
            channel.send(AttachRequest.move(to: .nat64CLAT))
            guard case .moved(let next) = try reply(on: channel) else { throw Unexpected() }
            #expect(next.prefixes == ["2001:db8:64::/96"])
            #expect(try reply(on: channel) == .prefixes(["2001:db8:65::/96"]))
            // Where nothing has changed, nothing is told.
            channel.send(AttachRequest.move(to: .nat64))
            guard case .moved = try reply(on: channel) else { throw Unexpected() }
            channel.send(AttachRequest.detach)
            #expect(try reply(on: channel) == .evidence)
        }
    }

    @Test func `hangs up on who hands over nothing`() throws {
        let listener = try listen()
        let channel = try connect(listener)
        hello(channel)
        _ = try reply(on: channel)
        channel.send(AttachRequest.attach)
        #expect(try reply(on: channel) == nil)
    }
}
