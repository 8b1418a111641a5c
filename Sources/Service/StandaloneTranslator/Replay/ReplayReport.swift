// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NAT64
import Translation
import Wire

/// The JSON Lines of a replay: one for each packet of the input, one for each time at which a timer caused something, and
/// the summary. `docs/nat64-translate.md` describes the keys.
struct ReplayReport: ~Copyable {
    private let path: String
    private let file: Descriptor
    /// Lines that are not written yet; dropped at the end if the replay failed.
    private var buffer: [UInt8] = []

    private static let chunk = 65_536

    /// `nil` without a path.
    static func open(_ path: String?) throws(TranslatorError) -> ReplayReport? {
        guard let path else { return nil }
        return try ReplayReport(path: path)
    }

    private init(path: String) throws(TranslatorError) {
        self.path = path
        do throws(SystemError) {
            file = try Descriptor.create(path)
        } catch {
            throw TranslatorError(path: path, reason: "\(error.errno)")
        }
    }

    mutating func add(_ line: JSONObject) throws(TranslatorError) {
        buffer += line.text.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.chunk { try flush() }
    }

    mutating func flush() throws(TranslatorError) {
        do throws(SystemError) {
            try file.write(buffer)
        } catch {
            throw TranslatorError(path: path, reason: "\(error.errno)")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension JSONObject {
    /// The outcome of a packet of the input.
    static func packet(
        _ number: Int, at time: Instant, from side: Side?, _ description: String, _ fate: ReplayFate
    ) -> JSONObject {
        var line = JSONObject()
        line.add("packet", number)
        line.add("time", seconds: time)
        if let side { line.add("side", side == .ipv6 ? "ipv6" : "ipv4") }
        line.add("description", description)
        switch fate {
        case .event(let event, let isStored):
            line.add(event)
            if isStored { line.add("stored", true) }
        case .skipped(let reason):
            line.add("skipped", reason)
        }
        return line
    }

    /// The outcome of timers at a time.
    static func time(_ time: Instant, _ event: ReplaySink.Event) -> JSONObject {
        var line = JSONObject()
        line.add("time", seconds: time)
        if let description = event.description { line.add("description", description) }
        line.add(event)
        return line
    }

    private mutating func add(_ event: ReplaySink.Event) {
        add("outputs", array: event.outputs.map { "\($0)" })
        add("drops", array: event.drops.map { "\"\($0.name)\"" })
    }
}

/// The fate of a packet of the input: how it has ended, or where it is now.
enum ReplayFate {
    case event(ReplaySink.Event, isStored: Bool)
    case skipped(String)
}
