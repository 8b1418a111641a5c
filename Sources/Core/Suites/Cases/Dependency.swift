// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
import DNSWire
import Evidence
import Translation
import Wire

/// A finding in the terms of a suite: the rule, the program that met it, and the target. The same in every run: without lines, processes or
/// counts.
package struct Dependency: Hashable, Sendable {
    /// `V6C-001`
    package var rule: String
    /// The number of the older rule that it replaces.
    package var was: String?
    package var test: String
    package var program: String
    /// The program that the test's command runs, if its name is different: all that is known without a trace of calls.
    package var command: String?
    /// `api.shop.example tcp/443`, or `-` if the finding is about the client itself.
    package var target: String

    package init(
        rule: String, was: String? = nil, test: String, program: String, command: String? = nil, target: String
    ) {
        self.rule = rule
        self.was = was
        self.test = test
        self.program = Self.withoutVersion(program)
        self.command = command
        self.target = target
    }

    init(_ finding: Finding, _ observation: Observation, in test: SuiteTest) {
        let called = test.command.arguments[0].split(separator: "/").last.map(String.init) ?? "-"
        let program = observation.site?.program.flatMap { $0.isEmpty ? nil : $0 } ?? called
        self.init(
            rule: finding.rule.id, was: finding.rule.was, test: test.name, program: program,
            command: Self.withoutVersion(program) == called ? nil : called,
            target: observation.target.map(Self.text) ?? "-")
    }

    /// A new version of an interpreter counts as the same program.
    private static func withoutVersion(_ program: String) -> String {
        interpreterName(of: program) ?? program
    }

    /// The target without its port.
    package var host: String { target.split(separator: " ").first.map(String.init) ?? target }

    /// `api.shop.example tcp/443`
    package static func text(_ target: Target) -> String {
        switch target {
        case .name(let name): text(name)
        case .address(let address): "\(address)"
        case .farEnd(.name(let name), let transport, let port): text(name) + service(transport, port)
        case .farEnd(.address(let address), let transport, let port): "\(address)" + service(transport, port)
        case .drop(let reason): reason.name
        }
    }

    private static func text(_ name: DomainName) -> String { name.isRoot ? "." : String(name.description.dropLast()) }

    private static func service(_ transport: Flow.Transport, _ port: UInt16) -> String {
        transport == .icmp ? " icmp" : " \(transport.rawValue)/\(port)"
    }
}
