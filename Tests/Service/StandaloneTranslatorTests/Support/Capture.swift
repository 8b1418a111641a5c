// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Capture
import Foundation
import StandaloneTranslator
import TestPackets
import Wire

/// A folder of a test's own, removed in the end.
final class Place {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "translator-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }

    func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }
}

/// A packet of a capture. Times are in nanoseconds since 1970.
struct Captured: Hashable {
    var time: Int64
    var bytes: [UInt8]

    init(_ seconds: Double, _ bytes: [UInt8]) {
        time = Int64(seconds * 1e9)
        self.bytes = bytes
    }
}

/// The bytes of a pcap file, as any program might write it.
func pcap(_ packets: [Captured], linkType: UInt8 = 101, isNanosecond: Bool = true) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let magic = isNanosecond ? 0xa1b2_3c4d : 0xa1b2_c3d4
    let header = little(magic) + [2, 0, 4, 0] + little(0) + little(0) + little(262_144) + little(Int(linkType))
    return packets.reduce(header) { file, packet in
        let (seconds, nanoseconds) = packet.time.quotientAndRemainder(dividingBy: 1_000_000_000)
        return file + little(Int(seconds)) + little(Int(isNanosecond ? nanoseconds : nanoseconds / 1000))
            + little(packet.bytes.count) + little(packet.bytes.count) + packet.bytes
    }
}

/// The results of a replay.
struct Replayed {
    var summary: ReplaySummary
    var outputs: [Captured]
    /// The report, parsed.
    var lines: [[String: Any]]
    /// The unparsed contents of both files.
    var files: [[UInt8]]

    /// The report's line for the packet with this number.
    func line(_ packet: Int) -> [String: Any] { lines.first { $0["packet"] as? Int == packet } ?? [:] }
    /// The report's lines about events caused by time.
    var timeLines: [[String: Any]] { lines.filter { $0["packet"] == nil && $0["summary"] == nil } }

    func drops(_ packet: Int) -> [String] { line(packet)["drops"] as? [String] ?? [] }
    func outputs(_ packet: Int) -> [Captured] { (line(packet)["outputs"] as? [Int] ?? []).map { outputs[$0 - 1] } }
}

func replay(
    _ packets: [Captured], _ yaml: String = "", linkType: UInt8 = 101, isNanosecond: Bool = true,
    options: Replay.Options = Replay.Options()
) throws -> Replayed {
    let place = try Place()
    try place.write(pcap(packets, linkType: linkType, isNanosecond: isNanosecond), to: "in.pcap")
    return try replayed(place, yaml, options: options)
}

/// Replays `in.pcap`, as it is there.
func replayed(
    _ place: Place, _ yaml: String = "", options: Replay.Options = Replay.Options()
) throws -> Replayed {
    let configuration = try TranslatorConfiguration(
        yaml: Array("version: 1\nnat64:\n\(yaml)".utf8), name: "test.yaml")
    let summary = try Replay.run(
        configuration, from: place.path("in.pcap"), to: place.path("out.pcap"), report: place.path("out.json"),
        options: options)
    var reader = try PacketFileReader.open(place.path("out.pcap"))
    var buffer = PacketBuffer()
    var outputs: [Captured] = []
    while let record = try reader.next(into: &buffer) {
        var packet = Captured(0, buffer.octets)
        packet.time = record.time
        outputs.append(packet)
    }
    let report = try place.bytes(of: "out.json")
    let lines = try report.split(separator: UInt8(ascii: "\n")).map {
        try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
    }
    return Replayed(
        summary: summary, outputs: outputs, lines: lines, files: [try place.bytes(of: "out.pcap"), report])
}
