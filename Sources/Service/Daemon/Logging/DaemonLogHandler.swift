// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import FoundationEssentials
import Glibc
import LinuxNet
import Logging
import Synchronization
import Text

/// Writes log lines to the standard error stream, for people or for programs.
///
///     2026-11-21T22:31:35.042Z info  curl of user 0 is on nat64  client=3 event=client-attached
///     {"time":"2026-11-21T22:31:35.042Z","level":"info","message":"curl of …","client":"3","event":"client-attached"}
struct DaemonLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let log: DaemonLog
    private var ownLevel: Logger.Level?

    init(_ log: DaemonLog) {
        self.log = log
    }

    /// The level of the log, unless a logger has been given one of its own.
    var logLevel: Logger.Level {
        get { ownLevel ?? Logger.Level(log.current.level) }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let own = event.metadata { fields.merge(own) { $1 } }
        let pairs = fields.map { (key: $0, value: "\($1)") }.sorted { $0.key < $1.key }
        let time = "\(TimeStamp(nanosecondsSince1970: MonotonicClock.wallTime()))"
        switch log.current.format {
        case .text: log.add(Self.text(time, event.level, "\(event.message)", pairs))
        case .json: log.add(Self.json(time, event.level, "\(event.message)", pairs))
        }
    }

    static func text(
        _ time: String, _ level: Logger.Level, _ message: String, _ fields: [(key: String, value: String)]
    ) -> String {
        let word = level.rawValue.padded(to: 8)
        let details = fields.map { "\($0.key)=\($0.value.contains(" ") ? "\"\($0.value)\"" : $0.value)" }
        return "\(time) \(word) \(message)" + (details.isEmpty ? "" : "  " + details.joined(separator: " ")) + "\n"
    }

    static func json(
        _ time: String, _ level: Logger.Level, _ message: String, _ fields: [(key: String, value: String)]
    ) -> String {
        var object = ["time": time, "level": level.rawValue, "message": message]
        for (key, value) in fields where object[key] == nil { object[key] = value }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A dictionary of strings can always be encoded.
        return ((try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }
}

extension Logger.Level {
    init(_ level: DaemonConfiguration.Log.Level) {
        self =
            switch level {
            case .trace: .trace
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }
}

/// Lines of several threads do not mix: each is one write, unless a signal comes between.
func writeToStandardError(_ line: String) {
    try? Descriptor.writeAll(Array(line.utf8), to: STDERR_FILENO)
}
