// SPDX-License-Identifier: Apache-2.0
/// Debian's dnsperf: sends the questions of a file, and measures the answers' rate and latency.
enum DNSPerf {
    struct Run {
        var perSecond: Double
        var completed: Double
        var lost: Double
        /// Percentage of the answers that are NOERROR.
        var found: Double
        /// Seconds, one for each answer; empty unless requested.
        var latencies: [Double]

        /// The given percentile of the latency, in microseconds.
        func percentile(_ percent: Int) -> Double {
            let sorted = latencies.sorted()
            return sorted.isEmpty ? .nan : sorted[(sorted.count - 1) * percent / 100] * 1e6
        }
    }

    /// "  Response codes:       NOERROR 9 (90.00%), NXDOMAIN 1 (10.00%)"
    static func found(_ lines: [Substring]) -> Double {
        let codes =
            lines.first { $0.contains("Response codes:") }?.split(separator: ":").last?.split(separator: ",") ?? []
        let words = codes.map { $0.split(separator: " ") }.first { $0.first == "NOERROR" } ?? []
        return words.last.flatMap { Double($0.filter { $0.isNumber || $0 == "." }) } ?? 0
    }

    static func run(
        _ port: UInt16, questions: String, _ options: [String], eachLatency: Bool = false
    ) throws(BenchFailure) -> Run {
        // Into a file: a slow reader would slow down dnsperf.
        let output = try TemporaryFile()
        let command =
            ["dnsperf", "-s", "127.0.0.1", "-p", "\(port)", "-d", questions] + (eachLatency ? ["-v"] : []) + options
        try ChildProcess.run("sh", "-c", "exec \(command.joined(separator: " ")) >\(output.path)")
        let lines = output.contents.split(separator: "\n")
        func value(_ title: String) throws(BenchFailure) -> Double {
            // "  Queries lost:         0 (0.00%)"
            let line = lines.first { $0.drop { $0 == " " }.hasPrefix(title) }
            let word = line?.split(separator: ":").last?.split(separator: " ").first
            guard let number = word.flatMap({ Double($0) }) else { throw BenchFailure("dnsperf says no \(title)") }
            return number
        }
        return Run(
            perSecond: try value("Queries per second"), completed: try value("Queries completed"),
            lost: try value("Queries lost"), found: found(lines),
            // "> NOERROR n1.bench.test AAAA 0.000123"
            latencies: lines.filter { $0.hasPrefix("> ") }.compactMap {
                $0.split(separator: " ").last.flatMap { Double($0) }
            })
    }
}
