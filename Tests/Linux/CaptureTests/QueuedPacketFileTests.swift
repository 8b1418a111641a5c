// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxNet
import Testing
import Wire

@testable import Capture

@Suite struct QueuedPacketFileTests {
    private let packet = [UInt8](repeating: 0x60, count: 40)

    @Test func `a file that is closed has every packet`() throws {
        let path = NSTemporaryDirectory() + "queued-\(UUID().uuidString).pcap"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try QueuedPacketFile(PacketFileWriter(path: path), name: path, waiting: .milliseconds(900))
        for number in 0..<10_000 { file.write(packet.span, at: Int64(number)) }
        try file.close()
        #expect(try Data(contentsOf: URL(filePath: path)).count == 24 + 10_000 * (16 + 40))
    }

    @Test func `a full disk is said with the number of packets that are missing`() throws {
        let file = try QueuedPacketFile(PacketFileWriter(path: "/dev/full"), name: "x.pcap", waiting: .zero)
        for _ in 0..<3 { file.write(packet.span, at: 0) }
        #expect(
            throws: CaptureError(path: "x.pcap", reason: "3 packets are missing from it: No space left on device")
        ) { try file.close() }
        file.awaitEnd()
    }

    @Test func `a small queue slows the packets down, and none is missing`() throws {
        let path = NSTemporaryDirectory() + "queued-\(UUID().uuidString).pcap"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try QueuedPacketFile(
            PacketFileWriter(path: path), name: path, waiting: .milliseconds(900), capacity: 4096)
        for number in 0..<2000 { file.write(packet.span, at: Int64(number)) }
        try file.close()
        #expect(try Data(contentsOf: URL(filePath: path)).count == 24 + 2000 * (16 + 40))
    }

    /// A pipe without a reader acts as a file system that hangs; it has no room for one of these packets.
    @Test func `a file system that does not answer keeps nobody`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let reader = Descriptor(owning: ends[0])
        let writer = try PacketFileWriter(file: Descriptor(owning: ends[1]), name: "x.pcap")
        let file = try QueuedPacketFile(writer, name: "x.pcap", waiting: .milliseconds(100), capacity: 1 << 20)
        let big = [UInt8](repeating: 0x60, count: 65_535)
        let before = MonotonicClock.now()
        for _ in 0..<1000 { file.write(big.span, at: 0) }
        let error = #expect(throws: CaptureError.self) { try file.close(within: .milliseconds(300)) }
        #expect(MonotonicClock.now() - before < .seconds(5))
        #expect(error?.reason == "1000 packets are missing from it: its file system does not answer")
        // It goes on, and the thread ends.
        let contents = FileHandle(fileDescriptor: reader.number, closeOnDealloc: false).readDataToEndOfFile()
        #expect(contents.count < 1000 * big.count)
        file.awaitEnd()
    }
}
