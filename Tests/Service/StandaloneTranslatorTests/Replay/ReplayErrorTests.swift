// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import TestPackets
import Testing
import Wire

@testable import StandaloneTranslator

@Suite struct `A capture that cannot be translated` {
    private let place: Place
    private let request = Captured(1, Packets.ipv6(.udp(5000, 53)))

    init() throws {
        place = try Place()
        try place.write(pcap([request, request]), to: "in.pcap")
    }

    private func complaint(_ input: String, _ output: String, _ report: String? = nil) -> String? {
        do throws(TranslatorError) {
            _ = try Replay.run(TranslatorConfiguration(), from: input, to: output, report: report)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `is not there, or is none`() throws {
        #expect(complaint("/nonexistent", place.path("o")) == "/nonexistent: No such file or directory")
        try place.write(Array("not a capture, but text that is long enough".utf8), to: "text")
        let message = try #require(complaint(place.path("text"), place.path("o")))
        #expect(message.hasPrefix(place.path("text") + ": ") && !message.contains("\n"))
        try place.write([], to: "empty")
        #expect(complaint(place.path("empty"), place.path("o"))?.contains("\n") == false)
    }

    @Test func `is cut off in the middle: what was read before stays`() throws {
        let bytes = pcap([request, request])
        try place.write(Array(bytes.dropLast(5)), to: "cut.pcap")
        #expect(complaint(place.path("cut.pcap"), place.path("o"), place.path("j"))?.contains("truncated") == true)
        #expect(try place.bytes(of: "o").count > 24)
        #expect(try place.bytes(of: "j").count { $0 == UInt8(ascii: "\n") } == 2)
    }

    @Test func `has no place to go`() throws {
        let input = place.path("in.pcap")
        #expect(complaint(input, "/nonexistent/o") == "/nonexistent/o: No such file or directory")
        #expect(complaint(input, "/dev/full")?.hasPrefix("/dev/full: ") == true)
        #expect(complaint(input, place.path("o"), "/dev/full") == "/dev/full: No space left on device")
        #expect(complaint(input, place.path("o"), "/nonexistent/j") == "/nonexistent/j: No such file or directory")
    }

    @Test func `would overwrite itself`() throws {
        let input = place.path("in.pcap")
        let before = try place.bytes(of: "in.pcap")
        let roundabout = place.folder + "/./in.pcap"
        #expect(complaint(input, roundabout) == "\(roundabout): this is \(input) as well; give another file")
        #expect(complaint(input, place.path("o"), input) != nil)
        #expect(complaint(input, place.path("new"), place.path("new")) != nil)
        #expect(try place.bytes(of: "in.pcap") == before)
        #expect(complaint(input, "/dev/null", "/dev/null") == nil)
    }

    @Test func `never traps, wherever it ends and whatever octet is changed`() throws {
        let bytes = pcap([request, Captured(2, Packets.ipv4(.tcp(1, 2, .syn)))])
        for length in stride(from: 0, to: bytes.count, by: 3) {
            try place.write(Array(bytes[..<length]), to: "x")
            _ = complaint(place.path("x"), "/dev/null", "/dev/null")
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0xff
            try place.write(changed, to: "x")
            _ = complaint(place.path("x"), "/dev/null", "/dev/null")
        }
    }
}
