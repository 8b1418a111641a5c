// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationFiles
import ConfigurationText
import LinuxNet
import Router
import Synchronization

/// Reads the files of the configuration again for the simulator's process, on a thread of its own, as they may be on a file
/// system that hangs.
///
/// The daemon parses the configuration, too: this is the only way to learn which files it names, and which parts concern the
/// daemon itself. The process gets the octets that were read here, and parses them again: a configuration has no other form in
/// which it could be sent.
final class ConfigurationReader: Sendable {
    private let loop: LoopThread<Reading>
    private let sent: Sent

    /// The destinations that the uplink allows if the process accepts a configuration, for each one that it has not answered yet.
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

    /// Starts a reading; several run one after the other, in the order of the calls.
    func read() { loop.tell { $0.read() } }

    /// To be called once the process has answered.
    /// - Returns: the destinations that the uplink is to allow if the answer was yes; `nil` if it was not asked, or there is no uplink.
    func takeAnswered() -> [AllowedEntry]? {
        sent.entries.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Does not wait for a file system that hangs.
    func stop() { _ = try? loop.stop(within: .zero) }
}
