import FoundationEssentials

/// iperf3: TCP streams.
enum IPerf {
    enum Load: String, CaseIterable {
        case upload
        case uploads = "upload, 4 streams"
        case download

        fileprivate var options: [String] {
            switch self {
            case .upload: []
            case .uploads: ["--parallel", "4"]
            case .download: ["--reverse"]
            }
        }
    }

    /// Starts a server, and waits until it listens.
    static func serve() throws(BenchFailure) -> ChildProcess {
        let server = try ChildProcess.service("iperf3", "--server", "--forceflush", output: .read)
        while true {
            let line = server.readLine()
            if line.isEmpty { throw BenchFailure("iperf3 --server has ended unexpectedly") }
            if line.contains("listening") { return server }
        }
    }

    static func command(to address: String, _ load: Load, seconds: Int) -> [String] {
        // Interval 0: the report is about the whole time only.
        ["iperf3", "--client", address, "--time", "\(seconds)", "--interval", "0", "--json"]
            + load.options
    }

    /// What arrived of all streams, in Gbit/s.
    static func gigabits(_ report: String) throws(BenchFailure) -> Double {
        do {
            return try JSONDecoder().decode(Report.self, from: Data(report.utf8)).end.sum_received.bits_per_second / 1e9
        } catch {
            throw BenchFailure("iperf3 --client says: \(report)")
        }
    }

    /// The keys are iperf3's.
    private struct Report: Decodable {
        struct End: Decodable {
            var sum_received: Sum
        }
        struct Sum: Decodable {
            var bits_per_second: Double
        }
        var end: End
    }
}
