import ArgumentParser
import Glibc

extension Part: ExpressibleByArgument {}

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures ipv6check, and what it is to be compared with, in turns.",
        discussion: """
            Each round measures everything once; shown are the median and the spread over the rounds, and the median of \
            the rounds' ratios. Nothing passes or fails: machines are noisy.
            """)

    @Argument(
        help:
            "What to measure: run, trace, suite, packets, sessions, dns, throughput, datagrams (default: all of them).")
    var parts: [Part] = []

    @Option(help: ArgumentHelp("How often to measure everything.", valueName: "count"))
    var rounds = 5

    @Option(help: ArgumentHelp("How long one stream, or one run of dnsperf, lasts.", valueName: "seconds"))
    var seconds = 3

    @Option(help: ArgumentHelp("Write the results to FILE, as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("The ipv6check to run.", valueName: "path"))
    var ipv6check = ".build/release/ipv6check"

    @Option(help: ArgumentHelp("The least run to compare it with (scripts/bench builds it).", valueName: "path"))
    var leastRun = ".build/least-run"

    func validate() throws {
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds is a number from 1 to 100.") }
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds is a number from 1 to 60.") }
    }

    func run() throws {
        var machine = Machine()
        print("\(machine.processors) × \(machine.processor), Linux \(machine.kernel), \(rounds) rounds")
        print("load at the start: \(machine.loadAtStart.map(number) ?? "unknown")")
        var measurements: [Measurement] = []
        var notes: [String] = []
        var translators: Translators?
        // In this order: the last ones move the process into a network namespace, for good.
        for part in Part.allCases where parts.isEmpty || parts.contains(part) {
            print("\n\(part.title)")
            fflush(nil)
            do throws(BenchFailure) {
                let measured = try measure(part, &translators)
                for line in Table(measured).lines { print(line) }
                measurements += measured
            } catch {
                print("  not measured: \(error)")
                notes.append("\(part.rawValue): not measured: \(error)")
            }
        }
        machine.end()
        print("\nload at the end: \(machine.loadAtEnd.map(number) ?? "unknown")")
        if let json {
            try Report(rounds: rounds, machine: machine, notes: notes, measurements).write(to: json)
        }
    }

    private func measure(_ part: Part, _ made: inout Translators?) throws(BenchFailure) -> [Measurement] {
        func translators() throws(BenchFailure) -> Translators {
            if let made { return made }
            let translators = try Translators()
            made = translators
            return translators
        }
        return switch part {
        case .run: try WallTime(ipv6check: ipv6check, leastRun: leastRun).measure(rounds: rounds)
        case .trace: try TracingCost(ipv6check: ipv6check).measure(rounds: rounds)
        case .suite: try SuiteCost(ipv6check: ipv6check).measure(rounds: rounds)
        case .packets: try PacketCost().measure(rounds: rounds)
        case .sessions: try SessionCost().measure(rounds: rounds)
        case .dns: try NameQueries(seconds: seconds).measure(rounds: rounds)
        case .throughput: try Throughput(seconds: seconds, translators: translators()).measure(rounds: rounds)
        case .datagrams: try DatagramRates(seconds: seconds, translators: translators()).measure(rounds: rounds)
        }
    }
}
