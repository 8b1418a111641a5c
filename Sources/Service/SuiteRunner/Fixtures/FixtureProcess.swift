// SPDX-License-Identifier: Apache-2.0
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import Suites
import Wire

/// A fixture process: the process that starts servers one after the other, and runs a client while they serve. It is this executable, started
/// again with a first argument that no user types.
///
/// Theory of operation. One fixture takes the place of the client for the keeper, in the client's namespaces: so its servers are on the
/// client's machine, and everything that it starts ends with it. Another is on the far side, in the world's namespace. A fixture process gets its
/// order in a memory file, reports over a socket, and ends its servers when the other end of that closes, when it is told to end (SIGTERM),
/// or when its client has ended.
package enum FixtureProcess {
    /// The first argument.
    package static let argument = "__fixture"

    /// If this process is one, does a fixture process's work and never returns.
    package static func runIfAsked() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == argument else { return }
        guard arguments.count == 4, let orderFile = Int32(arguments[2]), let socket = Int32(arguments[3]),
            orderFile > 2,
            socket > 2, orderFile != socket, fcntl(orderFile, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(socket, F_SETFD, FD_CLOEXEC) == 0,
            let contents = try? MemoryFile.contents(of: Descriptor(owning: orderFile)),
            let order = try? JSONDecoder().decode(FixtureOrder.self, from: Data(contents))
        else { exit(EX_USAGE) }
        if order.isInWorld {
            OwnChildren.giveUpRights()
            OwnChildren.adopt()
        }
        do throws(SystemError) {
            let signals: SignalSet = [.hangUp, .interrupt, .quit, .terminate, .child]
            Signals.block(signals)
            Signals.ignore(.brokenPipe)
            let fixture = FixtureGroup(
                order, heeding: signals, queue: try SignalQueue(signals),
                news: FixtureSocket(UnixSocket(owning: Descriptor(owning: socket))))
            fixture.run()
        } catch {
            exit(EX_OSERR)
        }
        if order.isInWorld { OwnChildren.end() }
        exit(0)
    }
}

/// One end of the socket between a fixture process and the run process.
struct FixtureSocket: ~Copyable, Sendable {
    private let socket: UnixSocket

    /// Octets of a message.
    private static let limit = 65_536

    init(_ socket: consuming UnixSocket) { self.socket = socket }

    var descriptor: Int32 { socket.descriptor }

    func send(_ news: FixtureNews) {
        guard let contents = try? JSONEncoder().encode(news) else { return }
        try? socket.send(Array(contents).span)
    }

    enum Received {
        case news(FixtureNews)
        case nothing
        /// The other end was closed.
        case closed
    }

    func receive(waiting: Bool) -> Received {
        guard let received = try? socket.receive(upTo: Self.limit, waiting: waiting) else { return .closed }
        switch consume received {
        case .message(let octets, _):
            let news = try? JSONDecoder().decode(FixtureNews.self, from: Data(octets))
            return news.map { .news($0) } ?? .closed
        case .wouldBlock: return .nothing
        case .closed: return .closed
        }
    }
}
