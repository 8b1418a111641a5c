// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Wire

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

    private static let port: UInt16 = 5201
    private static let pauseInMicroseconds: UInt32 = 10_000
    /// Maximum number of checks; the server listens after some milliseconds.
    private static let looks = 500

    /// Starts a server, and waits until it listens. Its report on each client is discarded: an unread pipe is full after some clients, and
    /// the server then blocks.
    static func serve() throws(BenchFailure) -> ChildProcess {
        let server = try ChildProcess.service("iperf3", "--server", "--port", "\(port)")
        for _ in 0..<looks {
            do throws(SystemError) {
                if try PortProbe.isTaken(SocketAddress(.ipv6(.unspecified), port: port), .stream) { return server }
            } catch {
                throw BenchFailure("\(error)")
            }
            usleep(pauseInMicroseconds)
        }
        throw BenchFailure("iperf3 --server does not listen")
    }

    static func command(to address: String, _ load: Load, seconds: Int) -> [String] {
        // Interval 0: the report is about the whole time only.
        ["iperf3", "--client", address, "--port", "\(port)", "--time", "\(seconds)", "--interval", "0", "--json"]
            + load.options
    }

    /// The received rate of all streams together, in Gbit/s.
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
