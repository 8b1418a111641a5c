import Findings

/// `exit 7`, `killed by SIGSEGV`, `ended by us`.
func phrase(_ end: ClientEnd) -> String {
    switch end {
    case .exited(let status): "exit \(status)"
    case .killed(let signal): "killed by \(signalName(signal))"
    case .timedOut: "stopped by --timeout"
    }
}

func signalName(_ number: Int32) -> String {
    let names: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
    ]
    return names[number] ?? "signal \(number)"
}

/// `0.02 s`, `75 s`.
func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    if milliseconds >= 60_000 { return "\(milliseconds / 1000) s" }
    let hundredths = (milliseconds + 5) / 10
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
}

/// `78 B`, `1.5 kB`, `1.07 GB`: decimal multiples, as curl and wget print them, three digits.
public func octets(_ count: UInt64) -> String {
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

/// The command as it could be typed in a shell.
func shellQuoted(_ words: [String]) -> String {
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

/// The command for a headline: one line, and not a long one.
func abbreviated(_ words: [String]) -> String {
    let longest = 80
    let text = shellQuoted(words).split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
    return text.count <= longest ? text : text.prefix(longest - 1) + "…"
}
