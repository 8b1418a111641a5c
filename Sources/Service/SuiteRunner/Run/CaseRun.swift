import CheckRunner
import Evidence
import LinuxNet
import Reports
import Sandbox
import Suites
import Wire

/// A case that goes on: its runs, one after the other.
final class CaseRun {
    let element: SuiteCase
    /// In the order of the suite.
    let index: Int
    let start = MonotonicClock.now()
    private let world: String?
    private let simulator: String
    private let folder: String
    private let environment: Environment
    private let folders: CaseFolders
    private let signals: SignalSet
    private var step = CaseAttempts.Step.first
    private var attempts: CaseAttempts?
    private var client: RunningClient?
    private var place: RunFolder?
    private var links = LinkConditions()
    private var pref64: String?
    private var notes: [String] = []
    private var rounds: CaseRounds
    /// Runs of this round on the same network that confirm the first.
    private var confirming = 0
    /// What was found when it was judged last.
    private(set) var dependencies: [Dependency] = []
    /// When it is said next that it takes long.
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
        folder = element.test.folder.map { source.absolute($0) } ?? source.folder
        nextNotice = MonotonicClock.now() + element.test.slow
    }

    /// Starts the first run; a result only if it cannot be started.
    func begin() -> CaseResult? { startRun(.first) }

    var descriptors: [Int32] { client?.descriptors ?? [] }

    var nextDeadline: Instant? { [client?.nextDeadline, nextNotice].compactMap(\.self).min() }

    /// Takes what the client printed, and goes on with the next run where one has ended.
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
        guard let client else { return nil }
        client.read()
        guard let end = client.poll() else { return nil }
        self.client = nil
        if client.isCancelled { return ended(.cancelled, "the suite ended before it") }
        switch end {
        case .crashed(let how): return failed(how, code: ExitCode.machineCannot.rawValue)
        case .ran(.failed(let reason, let code), let printed):
            finish(printed)
            return failed(reason, code: code)
        case .ran(.ran(let evidence, let links, let pref64, let notes), let printed):
            finish(printed)
            let attempt = Attempt(evidence, output: printed, expectations: element.test.expectations)
            if attempts == nil {
                attempts = CaseAttempts(first: attempt, confirmations: element.test.confirmations)
                self.links = links
                self.pref64 = pref64.isEmpty ? nil : pref64
                self.notes = notes
            } else {
                attempts?.add(attempt, as: step)
            }
        }
        guard let attempts else { return nil }
        if let next = attempts.next {
            return mayStart ? startRun(next) : ended(.cancelled, "the suite ended before it")
        }
        let judgement = judge(attempts)
        dependencies = judgement.dependencies
        return CaseResult(element, judgement, attempts, links: links, pref64: pref64, notes: notes)
    }

    func cancel() { client?.cancel() }

    func killAtOnce() { client?.killAtOnce() }

    /// The seconds after which it has to be said that it takes long; `nil` if there is nothing to say yet.
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
            // A client that runs ipv6check itself is beyond the daemon's reach.
            environment["IPV6CHECK_SIMULATOR"] = nil
            let order = RunOrder(
                command: test.command.arguments, folder: folder,
                network: step == .control ? .dualStack : element.network, timeout: test.timeout, grace: test.grace,
                literals: test.literals, world: world, simulator: simulator)
            do throws(SystemError) {
                client = try RunningClient(order, environment: environment.entries, heeding: signals)
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
