// SPDX-License-Identifier: Apache-2.0
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
            "What to measure: \(Part.allCases.map(\.rawValue).joined(separator: ", ")) (default: all of these)."
    )
    var parts: [Part] = []

    @Option(help: ArgumentHelp("How often to measure everything.", valueName: "count"))
    var rounds = 5

    @Option(help: ArgumentHelp("How long one stream, or one run of dnsperf, lasts.", valueName: "seconds"))
    var seconds = 3

    @Option(help: ArgumentHelp("Write the results to FILE, as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("The ipv6check to run.", valueName: "path"))
    var ipv6check = ".build/release/ipv6check"

    @Option(
        help: ArgumentHelp(
            "Where LeastRun, LeastTranslator and LeastResponder are (scripts/bench builds them).", valueName: "folder"))
    var sticks = ".build/sticks"

    @Option(help: ArgumentHelp("The working copy, of which an image is built.", valueName: "folder"))
    var source = "."

    func validate() throws {
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds is a number from 1 to 100.") }
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds is a number from 1 to 60.") }
    }

    func run() throws {
        var machine = MachineDescription()
        print("\(machine.processors) × \(machine.processor), Linux \(machine.kernel), \(rounds) rounds")
        print("load at the start: \(machine.loadAtStart.map(number) ?? "unknown")")
        var measurements: [Measurement] = []
        var notes: [String] = []
        var translators: Translators?
        // The order matters: some parts move the process into a network namespace for good.
        for part in parts.isEmpty ? Part.allCases : Part.allCases.filter(parts.contains) {
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
        let sticks = Sticks(folder: sticks)
        func translators() throws(BenchFailure) -> Translators {
            if let made { return made }
            let translators = try Translators(sticks)
            made = translators
            return translators
        }
        return switch part {
        case .run: try WallTime(ipv6check: ipv6check, sticks: sticks).measure(rounds: rounds)
        case .daemon: try DaemonRuns(ipv6check: ipv6check).measure(rounds: rounds)
        case .memory: try IdleMemory(ipv6check: ipv6check).measure(rounds: rounds)
        case .size: try ExecutableSize(ipv6check: ipv6check).measure() + ImageSize(source: source).measure()
        case .trace: try TracingCost(ipv6check: ipv6check).measure(rounds: rounds)
        case .suite: try SuiteCost(ipv6check: ipv6check).measure(rounds: rounds)
        case .packets: try PacketCost().measure(rounds: rounds)
        case .sessions: try SessionCost().measure(rounds: rounds)
        case .dns: try NameQueries(seconds: seconds, sticks: sticks).measure(rounds: rounds)
        case .throughput: try Throughput(seconds: seconds, translators: translators()).measure(rounds: rounds)
        case .datagrams: try DatagramRates(seconds: seconds, translators: translators()).measure(rounds: rounds)
        }
    }
}
