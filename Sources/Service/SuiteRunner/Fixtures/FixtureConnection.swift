// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import Wire

/// A fixture process, as seen by the run process.
final class FixtureConnection: Sendable {
    private let socket: FixtureSocket
    private let orderFile: Descriptor
    private let place: Place

    /// The fixture process's end of the socket.
    private enum Place: Sendable {
        /// The fixture process inherits it; this process's copy is closed after that.
        case inherited(Int32)
        case given
    }

    /// For a fixture process that the keeper starts as the client.
    init(forClient order: FixtureOrder) throws(SystemError) {
        let pair = try UnixSocket.pair()
        socket = FixtureSocket(pair.first)
        orderFile = try MemoryFile.make(Self.encoded(order))
        let number = pair.second.release().release()
        _ = fcntl(number, F_SETFD, 0)
        _ = fcntl(orderFile.number, F_SETFD, 0)
        place = .inherited(number)
    }

    private static func encoded(_ order: FixtureOrder) -> [UInt8] {
        do {
            return try Array(JSONEncoder().encode(order))
        } catch {
            preconditionFailure("an order holds nothing that JSON cannot: \(error)")
        }
    }

    /// The argument vector of the fixture process.
    var command: [String] {
        guard case .inherited(let number) = place else { return [] }
        return ["/proc/self/exe", FixtureProcess.argument, "\(orderFile.number)", "\(number)"]
    }

    /// Descriptors that the fixture process inherits.
    var descriptors: [Int32] {
        guard case .inherited(let number) = place else { return [] }
        return [orderFile.number, number]
    }

    /// Closes this process's copy of the fixture process's end: from now on the end of the fixture process can be detected, and no other program inherits it.
    func closeInheritedEnd() {
        guard case .inherited(let number) = place else { return }
        close(number)
        _ = fcntl(orderFile.number, F_SETFD, FD_CLOEXEC)
    }

    /// Starts a fixture process on the far side, the side of this process.
    /// - Parameter output: gets its client's standard output and error.
    init(inWorld order: FixtureOrder, environment: [OSString], output: borrowing Descriptor) throws(SystemError) {
        let pair = try UnixSocket.pair()
        let second = pair.second.release()
        socket = FixtureSocket(pair.first)
        orderFile = try MemoryFile.make(Self.encoded(order))
        place = .given
        let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
        var spawning = Spawning(
            "/proc/self/exe",
            arguments: ["ipv6check", FixtureProcess.argument, "\(orderFile.number)", "\(second.number)"]
                .map { OSString($0) })
        spawning.descriptors = [
            (STDIN_FILENO, null.number), (STDOUT_FILENO, output.number), (STDERR_FILENO, output.number),
            (orderFile.number, orderFile.number), (second.number, second.number),
        ]
        spawning.hasOwnGroup = true
        spawning.environment = environment
        _ = try spawning.start()
    }

    var descriptor: Int32 { socket.descriptor }

    /// The fixture process's next message; `nil` if it has ended, or sends nothing until the deadline.
    func next(until deadline: Instant? = nil) -> FixtureNews? {
        guard waitForInput(socket.descriptor, until: deadline) else { return nil }
        guard case .news(let news) = socket.receive(waiting: true) else { return nil }
        return news
    }

    /// Tells the fixture process to end.
    func tellToEnd() { shutdown(socket.descriptor, Int32(SHUT_WR)) }
}
