// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNSWire
package import Evidence
import Text
import Topology

/// `exit 7`, `killed by SIGSEGV`, `ended by us`.
package func phrase(_ end: ExitOutcome) -> String {
    switch end {
    case .exited(let status): "exit \(status)"
    case .killed(let signal): "killed by \(signalName(signal))"
    case .timedOut: "stopped by --timeout"
    }
}

/// The texts in the order of their first appearance, each once, with how often it appears: `… (3 times)`.
func folded(_ texts: [String]) -> [String] {
    let counts = texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }.map { text in
        counts[text].map { $0 > 1 ? "\(text) (\($0) times)" : text } ?? text
    }
}

func signalName(_ number: Int32) -> String {
    let names: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
        31: "SIGSYS",
    ]
    return names[number] ?? "signal \(number)"
}

/// `dual-stack, none from 5.00 s, nat64 from 6.01 s`
func phrase(_ timeline: [NetworkChange]) -> String {
    timeline.map { change in
        let name = change.network?.rawValue ?? NetworkSchedule.none
        return change.time == .zero ? name : "\(name) from \(seconds(change.time))"
    }.joined(separator: ", ")
}

/// The reason in an ICMP error.
func phrase(_ cause: Flow.Unreachable) -> String {
    switch cause {
    case .noRoute: "no route"
    case .prohibited: "prohibited"
    case .address: "no such host"
    case .port: "nothing listens there"
    case .other: "unreachable"
    }
}

/// The headline for a client that does not work on dual-stack either.
func failureEverywhere(_ report: RunReport) -> String {
    let places =
        report.runs.control == nil
        ? "fails on \(report.run.network.rawValue)" : "fails on \(report.run.network.rawValue), and on dual-stack too"
    if case .killed(let signal) = report.run.end, report.runs.control?.end == report.run.end {
        return (ExitOutcome.crashes.contains(signal) ? "crashed with " : "was killed by ")
            + "\(signalName(signal)) on both networks"
    }
    if let missing = report.verdict.findings.first(where: { $0.rule == .nameOutsideWorld })?.observations {
        let names = missing.compactMap { observation -> String? in
            if case .name(let name) = observation.subject { name.withoutFinalDot } else { nil }
        }
        return report.words.spelled(
            "\(places): it asks for \(printable(listed(names))), which the simulated world does not have (--uplink host: the real one)"
        )
    }
    if report.verdict.findings.contains(where: { $0.rule == .refusesGivenAddress }) { return places }
    if report.verdict.findings.contains(where: { $0.severity == .error }) {
        return report.runs.control == nil || report.runs.endsAlike
            ? places : "fails on \(report.run.network.rawValue); also fails on dual-stack, for a different reason"
    }
    return report.runs.control == nil ? places : places + ": no IPv6 problem shown"
}

/// `a`, `a and b`, `a, b and 3 more`.
func listed(_ names: [String]) -> String {
    switch names.count {
    case 0: ""
    case 1: names[0]
    case 2: "\(names[0]) and \(names[1])"
    default: "\(names[0]), \(names[1]) and \(names.count - 2) more"
    }
}

/// `0.02 s`, `75 s`.
func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    if milliseconds >= 60_000 { return "\(milliseconds / 1000) s" }
    let hundredths = (milliseconds + 5) / 10
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
}

/// `78 B`, `1.5 kB`, `1.07 GB`: decimal multiples, as curl and wget print them, three digits.
package func octets(_ count: UInt64) -> String {
    if count < 1000 { return "\(count) B" }
    var value = Double(count)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5, unit < units.count - 1 {
        value /= 1000
        unit += 1
    }
    let digits = value < 9.995 ? 100.0 : value < 99.95 ? 10.0 : 1.0
    let rounded = (value * digits).rounded() / digits
    let text = digits == 1 ? String(Int(rounded)) : String(rounded)
    return "\(text) \(units[unit])"
}

/// The command as a user could type it in a shell.
package func shellQuoted(_ words: [String]) -> String {
    words.map { word in
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "-_./:=@%+,[]".utf8.contains(byte)
                }
            }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }.joined(separator: " ")
}

/// The command for a headline: one short line.
func abbreviated(_ words: [String]) -> String {
    let maximum = 80
    let text = shellQuoted(words).split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
    return text.count <= maximum ? text : text.prefix(maximum - 1) + "…"
}
