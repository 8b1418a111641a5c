package import Evidence
package import LinuxNet
import Wire

/// A runner's side of an attachment: a place on a daemon's network for one client.
///
///     request ──► attach ──► end
///
/// When this value goes, the daemon gives the place to others.
package struct Attachment: ~Copyable {
    private let channel: AttachChannel
    private let path: String
    package let place: AttachPlace

    /// How long the daemon may take for an answer.
    private static let timeout = Duration.seconds(4)
    /// Between two requests where all places are taken.
    private static let pause = Duration.milliseconds(100)

    /// Asks the daemon that listens at `path` for a place.
    /// - Parameters:
    ///   - limit: how long to wait where all places are taken.
    ///   - onBusy: called once, before the waiting begins.
    package static func request(
        at path: String, network: Network, client: String, waitingFor limit: Duration, onBusy: (Int) -> Void = { _ in }
    ) throws(AttachError) -> Attachment {
        let deadline = MonotonicClock.now() + limit
        var hasWaited = false
        while true {
            let channel = try connect(path)
            channel.send(AttachRequest.hello(version: AttachRequest.version, network: network, client: client))
            switch try Answer(on: channel, from: path).reply {
            case .place(let place): return Attachment(channel: channel, path: path, place: place)
            case .busy(let places):
                if MonotonicClock.now() + pause > deadline { throw .busy(places: places, waited: limit) }
                if !hasWaited { onBusy(places) }
                hasWaited = true
                _ = waitForInput(-1, until: MonotonicClock.now() + pause)
            case .refused(let reason): throw .refused(reason)
            case .attached, .evidence: throw .nonsense(path)
            }
        }
    }

    /// What the daemon says when it has been asked.
    private struct Answer: ~Copyable {
        let reply: AttachReply
        let file: Descriptor?

        init(on channel: borrowing AttachChannel, from path: String) throws(AttachError) {
            switch channel.receive(AttachReply.self, until: MonotonicClock.now() + timeout) {
            case .message(let reply, let file):
                self.reply = reply
                self.file = file
            case .nonsense: throw .nonsense(path)
            case .timedOut: throw .silent(path)
            case .closed: throw .gone(path)
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

    private init(channel: consuming AttachChannel, path: String, place: AttachPlace) {
        self.channel = channel
        self.path = path
        self.place = place
    }

    private static func connect(_ path: String) throws(AttachError) -> AttachChannel {
        do throws(SystemError) {
            return AttachChannel(try UnixSocket.connect(to: path))
        } catch {
            throw .unreachable(path, error.errno)
        }
    }

    /// Puts the client at the other end of `tun` on the network.
    /// - Parameter capture: the descriptor of a regular file, open for writing, that gets every packet of both sides.
    package borrowing func attach(
        _ tun: borrowing TUNDevice, capture: Int32?
    ) throws(AttachError) {
        if let capture { channel.send(AttachRequest.capture, descriptor: capture) }
        channel.send(AttachRequest.attach, descriptor: tun.descriptor)
        switch try Answer(on: channel, from: path).reply {
        case .attached: return
        case .refused(let reason): throw .refused(reason)
        case .place, .busy, .evidence: throw .nonsense(path)
        }
    }

    /// Readable when the daemon has hung up: it says nothing of itself while the client runs.
    package var descriptor: Int32 { channel.descriptor }

    /// Throws where the daemon has hung up.
    package borrowing func checkThatItIsThere() throws(AttachError) {
        switch channel.receive(AttachReply.self, until: .zero) {
        case .timedOut: return
        case .closed: throw .gone(path)
        case .message: throw .nonsense(path)
        case .nonsense: throw .nonsense(path)
        }
    }

    /// Ends the attachment, and gets what was seen of the client.
    package consuming func end() throws(AttachError) -> NetworkEvidence {
        channel.send(AttachRequest.detach)
        let answer = try Answer(on: channel, from: path)
        if case .refused(let reason) = answer.reply { throw .refused(reason) }
        guard let evidence = answer.evidence else { throw .nonsense(path) }
        return evidence
    }
}
