// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationFiles
import ConfigurationText
import LinuxNet
import Router
import Synchronization

/// Reads the files of the configuration again for the simulator's process, on a thread of its own: they may be on a file system
/// that hangs.
///
/// It is read as a configuration here, too: only that shows which files it names, and what of it is the daemon's own business.
/// The process gets the octets that were read here, and makes the same of them: a configuration has no other form in which
/// it could be sent.
final class ConfigurationReader: Sendable {
    private let loop: LoopThread<Reading>
    private let sent: Sent

    /// What is to be allowed by the uplink if the process takes a configuration, for each that it has not answered yet.
    private final class Sent: Sendable {
        let entries = Mutex<[[AllowedEntry]?]>([])
    }

    private struct Reading: LoopState {
        let configuring: Daemon.Configuring
        let line: SharedChannel
        let sent: Sent

        mutating func handle(_ event: Epoll.Event) {}

        func read() {
            let record = FileRecord()
            let allow: [AllowedEntry]?
            do {
                allow = try configuring(record.read).uplink?.allow
                for file in record.files {
                    let contents = try MemoryFile.make(file.octets)
                    line.channel.send(ServingOrder.file(path: file.path), descriptor: contents.number)
                }
            } catch {
                sent.entries.withLock { $0.append(nil) }
                line.channel.send(ServingOrder.unreadable(reason: "\(error)".asReason))
                return
            }
            sent.entries.withLock { $0.append(allow) }
            line.channel.send(ServingOrder.reload)
        }
    }

    init(_ configuring: @escaping Daemon.Configuring, _ line: SharedChannel) throws(SystemError) {
        let sent = Sent()
        self.sent = sent
        loop = try LoopThread(
            name: "reload", Reading(configuring: configuring, line: line, sent: sent), on: InterestList())
        try loop.start()
    }

    /// One after the other, in the order of the calls.
    func read() { loop.tell { $0.read() } }

    /// The process has answered.
    /// - Returns: what the uplink is to allow if the answer was yes; `nil` if it has not been asked, or there is no uplink.
    func takeAnswered() -> [AllowedEntry]? {
        sent.entries.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Does not wait for a file system that hangs.
    func stop() { _ = try? loop.stop(within: .zero) }
}
