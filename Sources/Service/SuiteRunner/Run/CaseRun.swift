// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import Evidence
import LinuxNet
import Reports
import Sandbox
import Suites
import Text
import Topology
import TestResults
import Wire

/// A running case: its runs, one after the other.
final class CaseRun {
    let element: SuiteCase
    /// Its index in the suite.
    let index: Int
    let start = MonotonicClock.now()
    private let world: String?
    private let simulator: String
    private let folder: String
    /// Base of relative paths.
    private let suiteFolder: String
    private let environment: Environment
    private let folders: CaseFolders
    private let signals: SignalSet
    private var step = CaseAttempts.Step.first
    private var attempts: CaseAttempts?
    private var client: RunningClient?
    /// A run that has ended and whose report is being read.
    private var reading: (evidence: RunEvidence, printed: ClientOutput, reader: RunningImport)?
    private var place: RunFolder?
    private var isCancelled = false
    /// Whether it was ended because it wrote too much.
    private var isFull = false
    /// Time of the next check of its folders.
    private var nextLook = MonotonicClock.now() + lookInterval
    private static let lookInterval = Duration.seconds(1)
    /// Its first run; `nil` before that has ended.
    private var first: FinishedRun?
    private var rounds: CaseRounds
    /// Number of this round's runs that confirm the first on the same network.
    private var confirming = 0
    /// The findings of its latest judgement.
    private(set) var dependencies: [Dependency] = []
    /// Time of the next notice that it takes long.
    private var nextNotice: Instant

    init(
        _ element: SuiteCase, at index: Int, of source: SuiteSource, on simulator: String, environment: Environment,
        folders: CaseFolders, heeding signals: SignalSet, repeats: Int
    ) {
        rounds = CaseRounds(retries: element.test.retries, repeats: repeats)
        self.element = element
        self.index = index
        self.folders = folders
        self.signals = signals
        self.environment = environment
        self.simulator = simulator
        world = source.suite.world.map { source.absolute($0) }
        suiteFolder = source.folder
        folder = element.test.folder.map { source.absolute($0) } ?? source.folder
        nextNotice = MonotonicClock.now() + element.test.slow
    }

    /// The evidence of the first run; `nil` if that run failed to start.
    var evidence: RunEvidence? { attempts?.first.evidence }

    /// Starts the first run; returns a result only if it cannot be started.
    func begin() -> CaseResult? { startRun(.first) }

    var descriptors: [Int32] { client?.descriptors ?? [] }

    var nextDeadline: Instant? {
        [
            client?.nextDeadline, reading?.reader.nextDeadline, nextNotice, client == nil || isFull ? nil : nextLook,
        ].compactMap(\.self).min()
    }

    /// Reads the client's output, and starts the next run when one has ended.
    /// - Parameter mayStart: whether there may be another run.
    /// - Returns: the result, once the case has ended.
    func advance(mayStart: Bool, judge: (CaseAttempts) -> CaseJudgement) -> CaseResult? {
        guard let result = advanceRound(mayStart: mayStart, judge) else { return nil }
        if let final = rounds.take(result, mayContinue: mayStart) { return final }
        attempts = nil
        confirming = 0
        return startRun(.first)
    }

    /// - Returns: the result, once the round has ended.
    private func advanceRound(mayStart: Bool, _ judge: (CaseAttempts) -> CaseJudgement) -> CaseResult? {
        if let (evidence, printed, reader) = reading {
            guard let results = reader.poll() else { return nil }
            reading = nil
            if isCancelled { return ended(.cancelled, "the suite ended before it") }
            if let problem = results.problem, results.isFromCache, let report = element.test.report {
                return ended(.error, "\(report.name) \(problem)")
            }
            return add(evidence, printed, results, nil, mayStart: mayStart, judge: judge)
        }
        guard let client else { return nil }
        client.read()
        guard let end = client.poll() else {
            lookAtFolders()
            return nil
        }
        self.client = nil
        // It may have written since the last check.
        nextLook = .zero
        lookAtFolders()
        if client.isCancelled { return ended(.cancelled, "the suite ended before it") }
        if isFull {
            finish(ClientOutput())
            var result = ended(
                .error, "it was ended: it had more than \(element.test.disk >> 20) MiB in $TMPDIR and $OUT")
            result.code = 1
            return result
        }
        switch end {
        case .crashed(let how): return failed(how, code: ExitCode.machineCannot.rawValue)
        case .ran(.failed(let reason, let code), let printed):
            let logs = place?.serverLogs ?? ""
            finish(printed)
            var result = failed(reason, code: code)
            result.errors = logs
            return result
        case .ran(.ran(let run, var server), var printed):
            if let subject = element.test.subject, let place {
                let log = place.log(of: subject.name)
                server?.log = log
                // For a server under test its log takes the place of a client's streams.
                printed.errors = CapturedText(log)
            }
            if attempts == nil { first = run }
            guard let report = element.test.report else {
                finish(printed)
                return add(run.evidence, printed, nil, server, mayStart: mayStart, judge: judge)
            }
            // Opened before the folder is deleted.
            let problem = read(report, of: client, run.evidence, printed)
            finish(printed)
            guard let problem else { return nil }
            return add(run.evidence, printed, InnerResults(problem: problem), nil, mayStart: mayStart, judge: judge)
        }
    }

    /// Ends a client that fills the disk.
    private func lookAtFolders() {
        let now = MonotonicClock.now()
        guard let place, !isFull, nextLook <= now else { return }
        let limit = element.test.disk
        let size = [place.path, place.temporary].reduce(0) { $0 + FolderSize.octets(of: $1, upTo: limit) }
        if size > limit {
            isFull = true
            client?.killAtOnce()
        }
        // The checks of all cases take at most a twentieth of the time.
        let end = MonotonicClock.now()
        nextLook = end + max(Self.lookInterval, (end - now) * 20)
    }

    /// Begins to read a run's report.
    /// - Returns: the reason if that is not possible.
    private func read(
        _ report: InnerReport, of client: RunningClient, _ evidence: RunEvidence, _ printed: ClientOutput
    ) -> String? {
        do throws(SystemError) {
            let source: Descriptor
            if let file = report.file {
                switch ReportInFolder.open(file, in: place?.out ?? "") {
                case .problem(let problem): return problem
                case .file(let file): source = file
                }
            } else {
                guard let output = try client.takeOutput() else { return "was not kept" }
                source = output
            }
            reading = (evidence, printed, try RunningImport(report.format, of: source, heeding: signals))
            return nil
        } catch {
            return "cannot be read: \(error)"
        }
    }

    private func add(
        _ evidence: RunEvidence, _ printed: ClientOutput, _ results: InnerResults?, _ server: ServerEvidence?,
        mayStart: Bool, judge: (CaseAttempts) -> CaseJudgement
    ) -> CaseResult? {
        if let slow = PatternTrial.slowPattern(among: element.test.expectations.texts(of: printed, server)) {
            return failed(
                "matches: \(slow) is not decided after \(PatternTrial.limit.inSeconds); write it without a repetition in a repetition",
                code: ExitCode.usage.rawValue)
        }
        var evidence = evidence
        evidence.canaries = element.test.trials
        // A passing first run is not diagnosed by its words.
        if attempts != nil || !evidence.end.isSuccess {
            evidence.readOutput(
                printed.output.last(32_768) + "\n" + printed.errors.last(32_768), from: folder)
        }
        let inner = results.flatMap { results in element.test.report.map { (report: $0, results: results) } }
        let attempt = Attempt(
            evidence, output: printed, expectations: element.test.expectations, inner: inner,
            server: server, isControl: step == .control)
        if attempts == nil {
            attempts = CaseAttempts(
                first: attempt, confirmations: element.test.confirmations, trace: element.test.trace,
                slowness: element.test.expectations.slowness, explainsPasses: simulator == ChosenSimulator.own)
        } else {
            attempts?.add(attempt, as: step)
        }
        guard let attempts else { return nil }
        if let next = attempts.next {
            return mayStart ? startRun(next) : ended(.cancelled, "the suite ended before it")
        }
        let judgement = judge(attempts)
        dependencies = judgement.dependencies
        var result = CaseResult(
            element, judgement, attempts, links: first?.links ?? LinkConditions(), pref64: first?.pref64,
            notes: first?.notes ?? [])
        result.resolvePlaces { file in
            workTreePath(file, from: folder, workingDirectory: SuiteSource.workingDirectory, environment)
        }
        result.quoteSource { sourceLine($0, $1, from: folder) }
        return result
    }

    func cancel() {
        isCancelled = true
        client?.cancel()
    }

    func killAtOnce() {
        client?.killAtOnce()
        reading?.reader.killAtOnce()
    }

    /// The seconds for a notice that the case takes long; `nil` if none is due.
    func slowNotice(at now: Instant) -> Int? {
        if now < nextNotice { return nil }
        let elapsed = now - start
        nextNotice = now + .seconds(60)
        return Int(elapsed.components.seconds)
    }

    private func startRun(_ step: CaseAttempts.Step) -> CaseResult? {
        self.step = step
        let test = element.test
        do throws(CheckFailure) {
            let place = try folders.make(for: element, folderName(step))
            self.place = place
            var environment = environment
            for (name, value) in test.environment.sorted(by: { $0.key < $1.key }) {
                environment[name] = OSString(value)
            }
            environment["TMPDIR"] = OSString(place.temporary)
            environment["OUT"] = OSString(place.out)
            // A client that runs ipv6check itself cannot reach the daemon.
            environment["IPV6CHECK_SIMULATOR"] = nil
            var order = RunOrder(
                command: test.command.arguments, folder: folder,
                network: step.schedule(of: element.network), timeout: test.timeout,
                grace: test.grace, request: test.request, world: world, simulator: simulator)
            if let getaddrinfo = step.getaddrinfo {
                order.request.getaddrinfo = getaddrinfo
                order.request.urlLoading = .linux
            }
            order.isTraced = attempts?.traces(step) ?? (test.trace == .always)
            order.isLeftAlone = test.trace == .never
            order.hasCanaries = !test.canaries.isEmpty
            if !test.servers.isEmpty || test.subject != nil {
                order.addFixtures(for: test, in: place, suiteFolder: suiteFolder)
                order.isControl = step == .control
            }
            do throws(SystemError) {
                client = try RunningClient(
                    order, environment: environment.entries, heeding: signals,
                    copyingOutput: test.report.map { $0.file == nil } ?? false)
            } catch {
                throw CheckFailure("\(error)", .machineCannot)
            }
            return nil
        } catch {
            return failed("\(error)", code: error.exitCode.rawValue)
        }
    }

    /// `first`, `again-2`, `try-2/first`
    private func folderName(_ step: CaseAttempts.Step) -> String {
        if step == .again { confirming += 1 }
        let name = step == .again && confirming > 1 ? "again-\(confirming)" : step.rawValue
        return rounds.ended == 0 ? name : "try-\(rounds.ended + 1)/\(name)"
    }

    private func finish(_ printed: ClientOutput) {
        if let place { folders.finish(place, printed) }
        place = nil
    }

    private func failed(_ reason: String, code: Int32) -> CaseResult {
        var result = ended(.error, reason)
        result.code = code
        return result
    }

    private func ended(_ outcome: CaseOutcome, _ message: String) -> CaseResult {
        let elapsed = MonotonicClock.now() - start
        return CaseResult(
            element, outcome, seconds: Double(elapsed.wholeNanoseconds / 1_000_000) / 1000, message: message)
    }
}
