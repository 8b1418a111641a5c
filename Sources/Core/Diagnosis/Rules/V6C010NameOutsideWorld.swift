// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Text

extension Rule {
    /// The client fails on dual-stack as well, and asked for names that the world does not have on both networks: it was checked against a
    /// world that it was not written for. The pass of one that reached nothing else proves nothing.
    package static let nameOutsideWorld = Rule(
        id: "V6C-010", title: "looks up a name that the simulated world does not have", severity: .note,
        advice:
            "Add it to a world file (--world FILE, docs/world-file.md), or reach the real one with --uplink host "
            + "(docs/uplink.md).",
        furtherAdvice: { examination in
            packageManager(in: examination.command).map {
                "\($0) fetches packages: fetch and build first, and check the program that was built: ipv6check ./my-binary."
            }
        },
        clients: .all, needs: [.queries], supersedes: ["V6C-007"]
    ) { examination in
        let here = namesOutsideWorld(examination.run)
        if examination.run.end.isSuccess {
            return examination.run.seen.flows.isEmpty
                ? here.map {
                    Observation(
                        .name($0), "\(sayingNoName($0)), and nothing else was reached: this pass proves nothing.")
                } : []
        }
        guard let control = examination.control else {
            return examination.run.network == .dualStack ? here.map(observation) : []
        }
        let there = Set(namesOutsideWorld(control))
        return examination.failsOnDualStackToo ? here.filter(there.contains).map(observation) : []
    }
}

private func observation(_ name: DomainName) -> Observation { Observation(.name(name), "\(sayingNoName(name)).") }

private func sayingNoName(_ name: DomainName) -> Statement { "\(name): the world has no such name (NXDOMAIN)" }

/// Names for which the world itself answered NXDOMAIN.
private func namesOutsideWorld(_ run: RunEvidence) -> [DomainName] {
    let questions = run.seen.questions.filter(\.isForAddress)
    let others = Set(
        questions.filter { $0.first.responseCode != .nameError || $0.first.source != .world || !$0.isFaultless }.map(
            \.name))
    return questions.map(\.name).filter { !others.contains($0) }.unique
}

private let packageManagers: Set = [
    "bundle", "bun", "cargo", "composer", "dotnet", "gem", "go", "gradle", "gradlew", "mvn", "mvnw", "npm", "npx",
    "pip",
    "pip3", "pipx", "pnpm", "poetry", "sbt", "swift", "uv", "yarn",
]

/// The package manager that the command is or, if it is a shell, that its script starts.
private func packageManager(in command: [String]) -> String? {
    guard let program = command.first.map(baseName) else { return nil }
    if packageManagers.contains(program) { return program }
    // python3 -m pip
    if let module = command.firstIndex(of: "-m"), module + 1 < command.count {
        let name = command[module + 1]
        if packageManagers.contains(name) { return name }
    }
    guard shells.contains(program), let script = command.last else { return nil }
    return script.split { " \t\n;&|()".contains($0) }.map { baseName(String($0)) }.first(
        where: packageManagers.contains)
}
