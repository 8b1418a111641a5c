import ConfigurationText
import LinuxNet
import Wire

/// Reads the configuration again, on a thread of its own: its files may be on a file system that hangs.
final class Reloader: Sendable {
    private let loop: LoopThread<Reading>

    private struct Reading: LoopState {
        let service: Service
        let read: @Sendable () throws -> DaemonConfiguration

        mutating func handle(_ event: Epoll.Event) {}
    }

    init(_ service: Service, _ read: @escaping @Sendable () throws -> DaemonConfiguration) throws(SystemError) {
        loop = try LoopThread(name: "reload", Reading(service: service, read: read), on: InterestList())
        try loop.start()
    }

    /// One after the other, in the order of the calls.
    func reload() {
        loop.tell { $0.service.reload($0.read) }
    }
}
