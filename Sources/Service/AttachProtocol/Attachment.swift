// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import LinuxNet
package import Topology
import Wire

/// A runner's side of an attachment: a place on a daemon's network for one client.
///
///     request ──► attach (──► move ──► arrive) ──► end
///
/// When this value is destroyed, the daemon gives the slot to others.
package struct Attachment: ~Copyable {
    private let channel: AttachChannel
    private let path: String
    private let timeout: Duration
    package let place: AttachSlot

    /// Timeout for an answer of the daemon.
    private static let timeout = Duration.seconds(4)
    /// Additional timeout for a capture on a slow disk.
    private static let captureTimeout = Duration.seconds(6)
    /// Pause between two requests if there is no room to wait.
    private static let pause = Duration.milliseconds(250)

    /// Asks the daemon that listens at `path` for a place.
    /// - Parameters:
    ///   - limit: how long to wait for one.
    ///   - onWaiting: called once, before the waiting begins, with the reason.
    package static func request(
        at path: String, network: Network, client: String, wishes: LinkWishes = LinkWishes(),
        waitingFor limit: Duration,
        onWaiting: (String) -> Void = { _ in }
    ) throws(AttachError) -> Attachment {
        let deadline = MonotonicClock.now() + limit
        var reason: String?
        while true {
            let channel = try connect(path)
            channel.send(
                AttachRequest.hello(
                    version: AttachRequest.version, network: network, client: client, wishes: wishes))
            var reply = try Answer(on: channel, from: path, within: timeout).reply
            if case .waiting(let why) = reply {
                if reason == nil { onWaiting(why) }
                reason = why
                reply = try Answer(on: channel, from: path, until: deadline, orElse: .busy(why, waited: limit)).reply
            }
            switch reply {
            case .place(let place): return Attachment(channel: channel, path: path, timeout: timeout, place: place)
            case .busy(let why):
                if MonotonicClock.now() + pause > deadline { throw .busy(why, waited: limit) }
                if reason == nil { onWaiting(why) }
                reason = why
                sleep(until: MonotonicClock.now() + pause)
            case .refused(let reason): throw .refused(reason)
            case .waiting, .attached, .moved, .wanted, .prefixes, .evidence: throw .nonsense(path)
            }
        }
    }

    /// An attachment to a simulator at the other end of `channel` that has no other client: its place is known.
    /// - Parameter limit: timeout for each answer.
    package init(over channel: consuming AttachChannel, at place: AttachSlot, answeringWithin limit: Duration) {
        self.init(channel: channel, path: "the simulator", timeout: limit, place: place)
    }

    /// An answer of the daemon.
    private struct Answer: ~Copyable {
        let reply: AttachReply
        let file: Descriptor?

        init(
            on channel: borrowing AttachChannel, from path: String, within timeout: Duration
        ) throws(AttachError) {
            try self.init(
                on: channel, from: path, until: MonotonicClock.now() + timeout, orElse: .silent(path))
        }

        /// - Parameter failure: the error if none comes in time.
        init(
            on channel: borrowing AttachChannel, from path: String, until deadline: Instant, orElse failure: AttachError
        ) throws(AttachError) {
            while true {
                switch channel.receive(AttachReply.self, until: deadline) {
                // Was sent before the daemon had read the request.
                case .message(.wanted, _): continue
                case .message(.prefixes, _): continue
                case .message(let reply, let file):
                    self.reply = reply
                    self.file = file
                    return
                case .nonsense: throw .nonsense(path)
                case .timedOut: throw failure
                case .closed: throw .gone(path)
                }
            }
        }

        var evidence: NetworkEvidence? {
            guard reply == .evidence else { return nil }
            switch file {
            case .some(let file): return EvidenceFile.read(file)
            case nil: return nil
            }
        }
    }

    private init(channel: consuming AttachChannel, path: String, timeout: Duration, place: AttachSlot) {
        self.channel = channel
        self.path = path
        self.timeout = timeout
        self.place = place
    }

    private static func connect(_ path: String) throws(AttachError) -> AttachChannel {
        do throws(SystemError) {
            return AttachChannel(try UnixSocket.connect(to: path))
        } catch {
            throw .unreachable(path, error.errno)
        }
    }

    /// Puts the client at the other end of `device` on the network.
    /// - Parameters:
    ///   - capture: the descriptor of a regular file, open for writing, that gets every packet of both sides.
    ///   - keepsPayloads: whether the evidence is to have the beginning of the data sent and received.
    package borrowing func attach(
        _ device: borrowing LinkDevice, capture: Int32?, keepsPayloads: Bool = false
    ) throws(AttachError) {
        if let capture { channel.send(AttachRequest.capture, descriptor: capture) }
        if keepsPayloads { channel.send(AttachRequest.keepPayloads) }
        channel.send(AttachRequest.attach, descriptor: device.descriptor)
        switch try Answer(on: channel, from: path, within: timeout).reply {
        case .attached: return
        case .refused(let reason): throw .refused(reason)
        case .place, .waiting, .busy, .moved, .wanted, .prefixes, .evidence: throw .nonsense(path)
        }
    }

    /// Readable when the daemon has hung up, or has news.
    package var descriptor: Int32 { channel.descriptor }

    /// A message that a daemon sends of its own accord while a client runs.
    package enum News: Sendable {
        /// A user asks for the client to be on this network, or on none.
        case wanted(Network?)
        /// Its network has these Pref64s now, in presentation format.
        case prefixes([String])
    }

    /// The next message that the daemon has sent of its own accord, `nil` if there is none. Throws if it has hung up.
    package borrowing func news() throws(AttachError) -> News? {
        switch channel.receive(AttachReply.self, until: .zero) {
        case .timedOut: return nil
        case .closed: throw .gone(path)
        case .message(.wanted(let network), _): return .wanted(network)
        case .message(.prefixes(let prefixes), _): return .prefixes(prefixes)
        case .message: throw .nonsense(path)
        case .nonsense: throw .nonsense(path)
        }
    }

    /// Moves the client, which has left its network, to another one, or to none.
    package borrowing func move(to network: Network?) throws(AttachError) -> AttachSlot {
        channel.send(AttachRequest.move(to: network))
        guard case .moved(let place) = try Answer(on: channel, from: path, within: timeout).reply else {
            throw .nonsense(path)
        }
        return place
    }

    /// Reports that the client has set up its side of the network that it was moved to.
    package borrowing func arrive() {
        channel.send(AttachRequest.arrived)
    }

    /// Ends the attachment, and returns the evidence of the client.
    /// - Parameter hasCapture: whether there is a capture to be finished.
    package consuming func end(hasCapture: Bool) throws(AttachError) -> NetworkEvidence {
        channel.send(AttachRequest.detach)
        let answer = try Answer(
            on: channel, from: path, within: timeout + (hasCapture ? Self.captureTimeout : .zero))
        if case .refused(let reason) = answer.reply { throw .refused(reason) }
        guard let evidence = answer.evidence else { throw .nonsense(path) }
        return evidence
    }
}
