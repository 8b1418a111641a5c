// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import LinuxNet

/// Reads the configuration again from the contents of its files, which the daemon sends, on a thread of its own: it may be long.
final class Reloader: Sendable {
    private let loop: LoopThread<Reading>

    private struct Reading: LoopState {
        let service: Service
        let configuring: Daemon.Configuring
        let line: SharedChannel
        /// The files that have come since the last reload, by path.
        var files: [String: [UInt8]] = [:]

        mutating func handle(_ event: Epoll.Event) {}

        mutating func reload() {
            let files = files
            self.files = [:]
            do {
                let configuration = try configuring { path, maximum throws(YAMLFileError) in
                    guard let octets = files[path] else { throw YAMLFileError(file: path, "there is no such file") }
                    return octets
                }
                tell(isReloaded: service.reload(configuration))
            } catch {
                refuse(because: "\(error)")
            }
        }

        func refuse(because reason: String) {
            service.refuseReload(because: reason)
            tell(isReloaded: false)
        }

        private func tell(isReloaded: Bool) {
            line.channel.send(isReloaded ? ServingNews.reloaded : .kept)
        }
    }

    init(
        _ service: Service, _ configuring: @escaping Daemon.Configuring, _ line: SharedChannel
    ) throws(SystemError) {
        loop = try LoopThread(
            name: "reload", Reading(service: service, configuring: configuring, line: line), on: InterestList())
        try loop.start()
    }

    // One after the other, in the order of the calls.

    func keep(_ octets: [UInt8], of path: String) { loop.tell { $0.files[path] = octets } }

    func reload() { loop.tell { $0.reload() } }

    /// Reports that the daemon could not read the configuration at all.
    func refuse(because reason: String) {
        loop.tell {
            $0.files = [:]
            $0.refuse(because: reason)
        }
    }
}
