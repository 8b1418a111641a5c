import ArgumentParser
import YAMLFile

/// A time on the command line: `90`, `1.5`, `250ms`, `90s`, `5m` or `2h`.
struct WrittenDuration: ExpressibleByArgument, CustomStringConvertible, Sendable {
    /// As help shows it.
    let description: String
    let duration: Duration

    static let oneMinute = WrittenDuration(description: "60s", duration: .seconds(60))

    private init(description: String, duration: Duration) {
        self.description = description
        self.duration = duration
    }

    init?(argument: String) {
        guard let duration = Duration(written: argument) else { return nil }
        self.init(description: argument, duration: duration)
    }
}
