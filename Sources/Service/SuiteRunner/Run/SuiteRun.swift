// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import ConfigurationFiles
import ConfigurationText
package import Evidence
import Glibc
import LinuxNet
import Reports
package import Sandbox
package import Suites
import Text
import Wire

/// Runs the cases of a suite, several at a time, and reports the results.
///
/// Theory of operation. One thread waits for SIGCHLD of run processes, for their clients' output, and for signals. A `SuiteSchedule`
/// decides which case begins and when clients end. The results so far are written however the suite ends.
package final class SuiteRun {
    private let source: SuiteSource
    private let options: SuiteOptions
    private let inheritance: Inheritance
    /// All selected cases, of all shards.
    private let selected: [SuiteCase]
    /// The cases of this shard.
    private let cases: [SuiteCase]
    private let baseline: BaselineFile?
    private let today: Day
    private let simulator: String
    /// `sha256:…` of the timings by which the shards are divided.
    private let timings: String?
    private let telling: ((SuiteCase, RunEvidence) -> String)?

    private var results: [Int: CaseResult] = [:]
    private var dependencies: [Dependency] = []
    private var running: [CaseRun] = []
    private var noticed: Set<Int> = []

    /// - Parameter telling: returns the text to show for a case that has ended, instead of its verdict, by its first run.
    package init(
        _ source: SuiteSource, _ options: SuiteOptions, inheritance: Inheritance,
        telling: ((SuiteCase, RunEvidence) -> String)? = nil
    ) throws(CheckFailure) {
        self.source = source
        self.telling = telling
        self.options = options
        self.inheritance = inheritance
        var selection = options.selection
        if let path = options.rerun {
            selection.ids = Set(try ResultsFile.parts(in: path).flatMap(\.worthRerunning))
        }
        let selected = source.suite.cases.filter(selection.contains).map { Self.chosen($0, options) }
        let timings = try options.timings.map { path throws(CheckFailure) in try ResultsFile.timings(in: path) }
        let plan = options.shard.map { shard in
            timings.map { ShardPlan(shard, $0, tests: selected.map(\.test.name)) } ?? ShardPlan(shard)
        }
        self.selected = selected
        self.timings = timings?.digest
        cases = selected.filter { plan?.contains($0) ?? true }
        baseline = try BaselineFile.read(options.baseline, of: source)
        let now = TimeStamp(nanosecondsSince1970: MonotonicClock.wallTime()).description
        guard let today = options.today ?? Day(now.prefix(10)) else {
            throw CheckFailure("the machine's time (\(now)) is no day; give one with --today", .usage)
        }
        self.today = today
        simulator = try Self.simulator(options, inheritance.environment, of: source.suite)
        let world = try Self.world(source.suite.world.map { source.absolute($0) })
        try source.checkProbes(in: world)
        for case (let name, .world(let host)) in source.suite.tests.flatMap(\.servers).map({ ($0.name, $0.place) }) {
            let names = world.hosts.map { String("\($0.name)".dropLast()) }
            if names.contains(where: { $0.lowercased() == host.lowercased() }) { continue }
            throw CheckFailure(
                "\(source.path): the server \(name) is to be at \(host), and the world has no such host: it has \(enumerated(names, limit: 8))",
                .usage)
        }
    }

    private static func simulator(
        _ options: SuiteOptions, _ environment: Environment, of suite: Suite
    ) throws(CheckFailure) -> String {
        guard let simulator = ChosenSimulator(option: options.simulator, environment) else {
            return ChosenSimulator.own
        }
        if suite.world != nil {
            throw CheckFailure(
                "the suite has a world of its own, and \(simulator) has another: give the world to nat64sim serve, or add --simulator own",
                .usage)
        }
        let needsOwn = suite.tests.first { test in
            !test.canaries.isEmpty || test.subject != nil
                || test.servers.contains { if case .world = $0.place { true } else { false } }
        }
        if let needsOwn {
            throw CheckFailure(
                "\(needsOwn.name) has a server on the far side or clients there, which \(simulator) does not let in; add --simulator own",
                .usage)
        }
        return simulator.given(in: SuiteSource.workingDirectory)
    }

    /// Applies the options of the command line that override the suite.
    private static func chosen(_ element: SuiteCase, _ options: SuiteOptions) -> SuiteCase {
        var element = element
        if let retries = options.retries { element.test.retries = retries }
        if let timeout = options.timeout { element.test.timeout = timeout }
        return element
    }

    /// The world, read here so that a mistake in its file is reported once, and not for each case.
    private static func world(_ path: String?) throws(CheckFailure) -> World {
        guard let path else { return .demo }
        do throws(WorldFileError) {
            return try World(file: path)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }

    /// The cases that would run, with the reason if one is skipped.
    package var plan: [(element: SuiteCase, skip: String?)] { cases.map { ($0, $0.test.skip) } }

    package func run() throws(CheckFailure) -> Int32 {
        if selected.isEmpty {
            let why = options.rerun.map { ", or nothing was red in \($0)" } ?? ""
            let tags = Set(source.suite.tests.flatMap(\.tags))
            let hint =
                tags.isDisjoint(with: options.selection.tags) && !options.selection.tags.isEmpty
                ? tags.isEmpty ? "they have no tags" : "their tags are \(enumerated(tags.sorted()))"
                : "look at ipv6check suite --list"
            throw CheckFailure(
                "\(source.path): none of its \(counted(source.suite.tests.count, "test")) is selected\(why); \(hint)",
                .nothingToRun)
        }
        let files = try ReportFiles(options.reports, inheritance.environment)
        let temporary = inheritance.environment["TMPDIR"]?.description ?? "/tmp"
        let folders = try CaseFolders(keptIn: options.output, temporary: temporary.isEmpty ? "/tmp" : temporary)
        let signals = SignalSet([.hangUp, .interrupt, .quit, .terminate]).subtracting(Signals.ignored)
        Signals.block(signals.union(.child))
        Signals.ignore(.brokenPipe)
        let queue = try Self.queue(signals.union(.child))
        let start = MonotonicClock.now()
        let environment = inheritance.environment
        let file = repositoryPath(
            source.path, absolute: source.absolute(baseName(source.path)), environment)
        let header = ResultHeader(
            suite: source.suite.name, file: file, digest: source.digest, shard: options.shard, timings: timings,
            timestamp: TimeStamp(nanosecondsSince1970: MonotonicClock.wallTime()).description, host: hostName(),
            invocation: ["ipv6check"] + CommandLine.arguments.dropFirst(), programs: programs, cases: selected)
        let screen = SuiteScreen(
            Console.style(inheritance.environment, options.colour), cases: cases,
            telling != nil ? .errors : options.isBrief ? .brief : .all,
            inheritance.environment)
        files.write(.begin(header))

        let end = work(files, folders, screen, queue, heeding: signals.union(.child), since: start)

        let elapsed = MonotonicClock.now() - start
        var suite = SuiteResults(
            header: header, cases: cases.indices.compactMap { results[$0] },
            seconds: Double(elapsed.wholeNanoseconds / 1_000_000) / 1000)
        var notes: [String] = []
        if !end.isEnding { try finishBaseline(&suite, notes: &notes) }
        var code = suite.exitCode
        if end.isTimedOut { code = ExitCode.timeout.rawValue }
        if let signal = end.signal { code = 128 + signal }
        files.write(.end(ResultFooter(exitCode: code, seconds: suite.seconds, signal: end.signal, gone: suite.gone)))
        files.write(suite, exitCode: code, file: file, environment)
        screen.end(suite, notes: notes)
        screen.annotate(options.annotations.text(suite, file: file, environment))
        let failures = files.failures + [folders.failure].compactMap(\.self)
        for failure in failures + files.warnings { Console.write("ipv6check: \(failure)\n") }
        folders.end()
        if let signal = end.signal { Signals.die(of: signal) }
        return failures.isEmpty || code == ExitCode.machineCannot.rawValue ? code : ExitCode.usage.rawValue
    }

    // MARK: - The cases

    /// Runs all cases.
    /// - Returns: the schedule after the last case.
    private func work(
        _ files: ReportFiles, _ folders: CaseFolders, _ screen: SuiteScreen, _ queue: borrowing SignalQueue,
        heeding signals: SignalSet, since start: Instant
    ) -> SuiteSchedule {
        var schedule = SuiteSchedule(
            cases,
            SuiteSchedule.Limits(
                jobs: options.jobs ?? Self.usualJobs, groups: source.suite.groups, failures: options.failureLimit,
                deadline: options.suiteTimeout.map { start + $0 }))
        func settle(_ index: Int, _ result: CaseResult) -> CaseResult {
            var result = result
            result.choose(as: cases[index].test, allowsFixed: options.allowsFixed)
            results[index] = result
            files.write(.result(result))
            screen.ended(result)
            return result
        }
        while !schedule.isDone {
            var hasEnded = false
            func end(_ index: Int, _ result: CaseResult) {
                schedule.end(index, isRed: settle(index, result).isRed)
                hasEnded = true
            }
            for action in schedule.next(at: MonotonicClock.now()) {
                switch action {
                case .begin(let index):
                    let run = CaseRun(
                        explaining(cases[index]), at: index, of: source, on: simulator,
                        environment: inheritance.environment, folders: folders, heeding: signals,
                        repeats: options.repeats)
                    files.write(.start(cases[index].id))
                    if let result = run.begin() { end(index, result) } else { running.append(run) }
                case .settle(let index, let outcome, let message):
                    _ = settle(index, CaseResult(cases[index], outcome, message: message))
                case .endClients: running.forEach { $0.cancel() }
                case .killClients: running.forEach { $0.killAtOnce() }
                }
            }
            running.removeAll { run in
                guard let result = run.advance(mayStart: !schedule.isEnding, judge: { judge(run.element, $0) }) else {
                    return false
                }
                if result.outcome.isConclusive { dependencies += run.dependencies }
                if let telling, let evidence = run.evidence { screen.say(telling(run.element, evidence)) }
                end(run.index, result)
                return true
            }
            notice(screen)
            // A case that has ended makes room for another, which can begin at once.
            if !hasEnded, !running.isEmpty { wait(for: queue, schedule.nextDeadline, isLive: screen.isLive) }
            while let number = queue.next() { if number != SIGCHLD { schedule.take(signal: number) } }
        }
        return schedule
    }

    /// Waits for an event, or for the next deadline.
    private func wait(for queue: borrowing SignalQueue, _ deadline: Instant?, isLive: Bool) {
        let second = isLive ? MonotonicClock.now() + .seconds(1) : nil
        let deadline = (running.map(\.nextDeadline) + [deadline, second]).compactMap(\.self).min()
        _ = waitForInput([queue.descriptor] + running.flatMap(\.descriptors), until: deadline)
    }

    /// If many canaries are reached, only the first few cases get further runs to find the line.
    private func explaining(_ element: SuiteCase) -> SuiteCase {
        guard !element.test.trials.isEmpty, element.test.trace == .onFailure,
            results.count(where: { !cases[$0].test.trials.isEmpty && $1.runs.count > 1 }) >= Self.mostExplained
        else { return element }
        var element = element
        element.test.trace = .never
        return element
    }

    private static let mostExplained = 8

    private func judge(_ element: SuiteCase, _ attempts: CaseAttempts) -> CaseJudgement {
        var judgement = CaseJudgement(element, attempts, baseline: baseline?.baseline, today: today)
        if let baseline, baseline.action == .update {
            // Dependencies that will be added count as accepted from now on.
            var changed = baseline.baseline
            changed.add(judgement.dependencies)
            judgement = CaseJudgement(element, attempts, baseline: changed, today: today)
        }
        return judgement
    }

    private func notice(_ screen: SuiteScreen) {
        let now = MonotonicClock.now()
        for run in running {
            guard let seconds = run.slowNotice(at: now) else { continue }
            screen.slow(run.element.id, seconds: seconds, isFirst: noticed.insert(run.index).inserted)
        }
        screen.status(
            done: results.count,
            running: running.map { ($0.element.id, Int((now - $0.start).components.seconds)) })
    }

    // MARK: - The baseline

    /// The programs with which the tests' commands begin, if a statement must list them.
    private var programs: [TestedProgram]? {
        guard options.reports.documents[.statement] != nil else { return nil }
        var programs: [TestedProgram] = []
        for word in selected.filter({ $0.test.skip == nil }).compactMap(\.test.command.arguments.first) {
            let folder = source.absolute("")
            let name = word.contains("/") && !word.hasPrefix("/") ? "\(folder)/\(word)" : word
            guard let found = try? Executable.find(OSString(name), path: inheritance.environment["PATH"]).get(),
                !programs.contains(where: { $0.path == found.description }),
                let contents = try? Descriptor.contents(of: found.description)
            else { continue }
            programs.append(TestedProgram(path: found.description, digest: sha256(contents)))
        }
        return programs
    }

    private func finishBaseline(_ suite: inout SuiteResults, notes: inout [String]) throws(CheckFailure) {
        guard let file = baseline else { return }
        let conclusive = suite.cases.filter(\.outcome.isConclusive)
        let byTest = Dictionary(grouping: conclusive, by: \.test)
        // An entry is only gone if its test was judged on all its networks.
        let judged = Set(source.suite.tests.filter { byTest[$0.name]?.count == $0.networks.count }.map(\.name))
        let gone = file.baseline.gone(after: dependencies, judged: judged, tests: Set(source.suite.tests.map(\.name)))
        var changed = file.baseline
        switch file.action {
        case .update:
            changed.add(dependencies)
            suite.gone = gone.map(\.line)
            let count = changed.entries.count - file.baseline.entries.count
            // Comments by people stay if there is nothing to add.
            if count > 0 || !file.exists { try file.write(changed) }
            notes.append("\(file.path): \(counted(count, "entry", "entries")) added.")
        case .prune:
            changed.remove(gone)
            if !gone.isEmpty { try file.write(changed) }
            notes.append("\(file.path): \(counted(gone.count, "entry", "entries")) removed.")
        case nil, .some(.none): suite.gone = gone.map(\.line)
        }
    }

    // MARK: - The machine

    private static func queue(_ signals: SignalSet) throws(CheckFailure) -> SignalQueue {
        do throws(SystemError) {
            return try SignalQueue(signals)
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    /// One more than the machine has cores: each run sometimes waits for the kernel, which sets up its networks and tears them down.
    private static var usualJobs: Int {
        1 + max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
