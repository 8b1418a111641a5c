// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationFiles
import ConfigurationText
import Foundation
import LinuxNet
import Router
import Testing
import Wire

@testable import Daemon

/// The simulator's process is played by hand.
final class ConfigurationReaderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID().uuidString)").path
    private let process: AttachChannel
    private let reader: ConfigurationReader

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pair = try UnixSocket.pair()
        process = AttachChannel(pair.second)
        let file = folder + "/c.yaml"
        reader = try ConfigurationReader(
            { try DaemonConfiguration(file: file, reading: $0) }, SharedChannel(AttachChannel(pair.first)))
    }

    private func write(_ text: String, to name: String = "c.yaml") throws {
        try Data("version: 1\n\(text)\n".utf8).write(to: URL(filePath: folder + "/" + name))
    }

    /// The next order, and the text that came with it.
    private func next() throws -> (order: ServingOrder, text: String?) {
        switch process.receive(ServingOrder.self, until: MonotonicClock.now() + .seconds(10)) {
        case .message(let order, .some(let file)):
            return (order, String(decoding: try MemoryFile.contents(of: file), as: UTF8.self))
        case .message(let order, nil): return (order, nil)
        default: throw CancellationError()
        }
    }

    @Test func `sends the files that were read, and says what they allow when they are taken`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("uplink: { network: host, allow: [10.1.2.0/24] }\nworld: w.yaml")
        try write("records: [a.test 60 A 198.51.100.1]", to: "w.yaml")
        reader.read()
        let configuration = try next()
        #expect(configuration.order == .file(path: folder + "/c.yaml"))
        #expect(configuration.text?.contains("allow: [10.1.2.0/24]") == true)
        let world = try next()
        #expect(world.order == .file(path: folder + "/w.yaml"))
        #expect(world.text?.contains("a.test") == true)
        #expect(try next().order == .reload)

        try write("nonsense: 1")
        reader.read()
        guard case .unreadable(let reason) = try next().order else {
            Issue.record("a file with mistakes is sent")
            return
        }
        #expect(reason.contains("unknown key"))
        #expect(reader.takeAnswered() == [try AllowedEntry("10.1.2.0/24")])
        #expect(reader.takeAnswered() == nil)
        // An answer to nothing.
        #expect(reader.takeAnswered() == nil)
    }
}
