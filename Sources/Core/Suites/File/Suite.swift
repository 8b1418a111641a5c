// SPDX-License-Identifier: Apache-2.0
package import Topology
package import Evidence

/// The contents of a suite file: tests, and their common settings.
package struct Suite: Hashable, Sendable {
    package var name: String
    /// The path of the world file, as it is written; `nil` for the demo world.
    package var world: String?
    /// The path of the baseline, as it is written.
    package var baseline: String?
    package var tests: [SuiteTest]
    /// Maximum number of a group's cases that may run at a time.
    package var groups: [String: Int]

    package init(
        name: String, world: String? = nil, baseline: String? = nil, tests: [SuiteTest], groups: [String: Int] = [:]
    ) {
        self.name = name
        self.world = world
        self.baseline = baseline
        self.tests = tests
        self.groups = groups
    }

    /// Every case, in the order of the file.
    package var cases: [SuiteCase] {
        tests.flatMap { test in test.networks.map { SuiteCase(test: test, network: $0) } }
    }
}

/// A named command with its expectations.
package struct SuiteTest: Hashable, Sendable {
    package enum Command: Hashable, Sendable {
        /// An argument vector.
        case words([String])
        /// A line for `/bin/sh -c`.
        case shell(String)

        package var arguments: [String] {
            switch self {
            case .words(let words): words
            case .shell(let line): ["/bin/sh", "-c", line]
            }
        }
    }

    package var name: String
    /// Its line in the file.
    package var line: Int
    package var command: Command
    package var networks: [NetworkSchedule]
    package var environment: [String: String]
    /// The working directory, as it is written; `nil` for the suite file's folder.
    package var folder: String?
    package var tags: [String]
    /// For each run of the client.
    package var timeout: Duration
    /// The time between SIGTERM and SIGKILL for a client.
    package var grace: Duration
    /// The time after which a case is reported as slow.
    package var slow: Duration
    package var request = NetworkRequest()
    package var expectations: Expectations
    package var known: [KnownFailure]
    /// The networks on which it must fail.
    package var fails: [ExpectedFailure] = []
    /// The report of its own tests, if it is a test runner.
    package var report: InnerReport?
    /// Maximum octets that a run may keep in its folders.
    package var disk = SuiteTest.usualDisk
    package static let usualDisk = 4 << 30
    /// Servers that run during the test, in the order in which they start.
    package var servers: [SuiteServer] = []
    /// The server under test; `nil` if the command is a client.
    package var subject: SuiteServer?
    package var probes: [Probe] = []
    /// Why it is not run; `nil` if it is run.
    package var skip: String?
    package var group: String?
    /// Number of jobs that it counts as.
    package var cpus: Int
    /// The lowest severity of a finding that makes a passing case red.
    package var failOn: FailLevel
    /// Number of retries for a red case.
    package var retries = 0
    /// How often a failure is confirmed on the same network before it is compared with dual-stack.
    package var confirmations = 1
    /// Whether a case that leaves processes running is red.
    package var failsOnLeak = false
    /// Whether a case that failed and then passed is red.
    package var failsIfFlaky = false
    /// Whether it needs no network: then a case that sends nothing may still be green.
    package var isOffline = false
    package var trace = TracePolicy.onFailure
    /// The URLs that it is given to fetch in a world of canaries: one, or all for its network if it is a server. Empty in another world.
    package var canaries: [CanarySpelling] = []

    package init(
        name: String, line: Int = 1, command: Command, networks: [NetworkSchedule] = [.nat64],
        environment: [String: String] = [:], folder: String? = nil, tags: [String] = [],
        timeout: Duration = .seconds(60), grace: Duration = .seconds(5), slow: Duration = .seconds(10),
        expectations: Expectations = Expectations(),
        known: [KnownFailure] = [], report: InnerReport? = nil, skip: String? = nil, group: String? = nil,
        cpus: Int = 1,
        failOn: FailLevel = .error
    ) {
        self.name = name
        self.line = line
        self.command = command
        self.networks = networks
        self.environment = environment
        self.folder = folder
        self.tags = tags
        self.timeout = timeout
        self.grace = grace
        self.slow = slow
        self.expectations = expectations
        self.known = known
        self.report = report
        self.skip = skip
        self.group = group
        self.cpus = cpus
        self.failOn = failOn
    }

    /// Whether a case that sends nothing proves nothing. Tests of a listener, of a program with servers of its own and of a test runner may
    /// have a part that needs no network.
    package var mustUseNetwork: Bool { !isOffline && subject == nil && servers.isEmpty && report == nil }
}
