// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Diagnosis
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
package import Sandbox
import Suites
import Topology

/// The process that runs a client once: this executable, started again with a first argument that no user types.
///
/// A separate process for each run isolates them: a crash of a run process costs one case, and signals work as in a single run. It is
/// killed when the suite's process ends, and then its keeper ends the client.
package struct RunProcess {
    /// The first argument.
    package static let argument = "__run"

    private let order: RunOrder
    private let answerFile: Int32

    /// Takes ownership of the descriptors, so that the client does not get them; `nil` if this is no run process. To be called before the
    /// inheritance is taken.
    package static func claim() -> RunProcess? {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == argument else { return nil }
        guard arguments.count == 5, let parent = Int32(arguments[2]), let orderFile = Int32(arguments[3]),
            let answerFile = Int32(arguments[4]), orderFile > 2, answerFile > 2, orderFile != answerFile,
            fcntl(orderFile, F_SETFD, FD_CLOEXEC) == 0, fcntl(answerFile, F_SETFD, FD_CLOEXEC) == 0
        else { exit(EX_USAGE) }
        // No terminal: its signals must not arrive here, and the client must not ask the user for a password.
        _ = setsid()
        guard (try? Signals.send(SIGKILL, whenParentEnds: parent)) != nil,
            let contents = try? MemoryFile.contents(of: Descriptor(owning: orderFile)),
            let order = try? JSONDecoder().decode(RunOrder.self, from: Data(contents))
        else { exit(EX_USAGE) }
        return RunProcess(order: order, answerFile: answerFile)
    }

    package func run(_ inheritance: Inheritance) -> Never {
        let answer = answer(inheritance)
        do {
            let contents = try JSONEncoder().encode(answer)
            try Descriptor.writeAll(Array(contents), to: answerFile)
        } catch {
            exit(EX_IOERR)
        }
        exit(0)
    }

    private func answer(_ inheritance: Inheritance) -> RunAnswer {
        guard unsafe chdir(order.folder) == 0 else {
            return .failed("cwd \(order.folder): \(Errno(errno)); give a folder", code: ExitCode.usage.rawValue)
        }
        let fixtured: FixturedRun?
        do throws(SystemError) {
            fixtured = try FixturedRun(order, environment: inheritance.environment.entries)
        } catch {
            return .failed("\(error)", code: ExitCode.machineCannot.rawValue)
        }
        var options = CheckOptions()
        options.command = fixtured?.command ?? order.command
        options.schedule = order.network
        options.timeout = fixtured?.timeout ?? order.timeout
        options.request = order.request
        options.worldFile = order.world
        options.hasCanaries = order.hasCanaries
        options.simulator = order.simulator
        options.trace = order.isTraced ? .always : order.isLeftAlone ? .never : .onFailure
        options.publishedPorts = Set(
            order.probes.filter { $0.origin == .ipv4ThroughNAT64 }.map(\.action.port)
        ).sorted()
        do throws(CheckFailure) {
            guard let fixtured else {
                return .ran(
                    try FinishedRun(of: options, grace: order.grace, inheritance: inheritance), server: nil)
            }
            var thread: WorkerThread?
            var run = try FinishedRun(
                of: options, grace: order.grace, inheritance: inheritance.passing(fixtured.descriptors),
                client: fixtured.client(among:)
            ) { world throws(CheckFailure) in thread = try fixtured.begin(in: world) }
            thread.take()?.join()
            let result = fixtured.finish(&run.evidence)
            if let failure = result.failure {
                let subject = failure.server.isEmpty ? "" : "the server \(failure.server) "
                return .failed(subject + failure.reason, code: ExitCode.usage.rawValue)
            }
            return .ran(run, server: result.server)
        } catch {
            return .failed("\(error)", code: error.exitCode.rawValue)
        }
    }
}
