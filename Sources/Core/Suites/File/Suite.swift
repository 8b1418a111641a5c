// SPDX-License-Identifier: Apache-2.0
package import Topology
package import Evidence

/// What a suite file says: tests, and what they have in common.
package struct Suite: Hashable, Sendable {
    package var name: String
    /// The path of the world file, as it is written; `nil` is the demo world.
    package var world: String?
    /// The path of the baseline, as it is written.
    package var baseline: String?
    package var tests: [SuiteTest]
    /// How many cases of a group may run at a time.
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

/// A command with a name, and what is expected of it.
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
    /// Where it stands in the file.
    package var line: Int
    package var command: Command
    package var networks: [NetworkSchedule]
    package var environment: [String: String]
    /// The working directory, as it is written; `nil` is the suite file's folder.
    package var folder: String?
    package var tags: [String]
    /// Of each run of the client.
    package var timeout: Duration
    /// What a client gets between SIGTERM and SIGKILL.
    package var grace: Duration
    /// When it is said that a case takes long.
    package var slow: Duration
    package var getaddrinfo: GetaddrinfoProfile
    package var urlLoading = URLLoading.linux
    /// What the way to the world is like, as `--conditions` has it.
    package var conditions: [String] = []
    /// How the client comes by its IPv6 address; `nil` is the usual way.
    package var link: LinkSetup?
    /// Which addresses its link has; `nil` is the standard one.
    package var clientLink: ClientLink?
    /// The name of its interface; `nil` is the usual one.
    package var interface: InterfaceName?
    /// Ports of the machine that its client finds at its own loopback addresses.
    package var hostPorts: [HostPort] = []
    /// Which proxy variables its client finds.
    package var proxies = ProxyVariables.world
    /// Whether its client, a test runner, may take results from its cache.
    package var caches = TestCaches.avoid
    /// How the NAT64 differs from the RFCs' defaults, as `--nat64` has it.
    package var nat64: [String] = []
    package var expectations: Expectations
    package var known: [KnownFailure]
    /// Where it is to fail.
    package var fails: [ExpectedFailure] = []
    /// Where its own tests are reported, if it is a test runner.
    package var report: InnerReport?
    /// Octets that a run may keep in its folders.
    package var disk = SuiteTest.usualDisk
    package static let usualDisk = 4 << 30
    /// What serves while it runs, in the order in which they start.
    package var servers: [SuiteServer] = []
    /// The listener that is tested; `nil` if the command is a client.
    package var subject: SuiteServer?
    package var probes: [Probe] = []
    /// Why it is not run; `nil` if it is.
    package var skip: String?
    package var group: String?
    /// How many jobs it counts as.
    package var cpus: Int
    /// How light a finding may be that makes a case red which works.
    package var failOn: FailLevel
    /// How often a case that is red begins anew.
    package var retries = 0
    /// How often a failure is seen again on the same network before it is compared with dual-stack.
    package var confirmations = 1
    /// Whether a case is red that processes outlive.
    package var failsOnLeak = false
    /// Whether a case is red that failed and passed.
    package var failsIfFlaky = false
    /// Whether it needs no network: then a case that sends nothing is no less green.
    package var isOffline = false
    package var trace = TracePolicy.onFailure
    /// What it is given to fetch, in a world of canaries: one URL, or all of its network if it is a server. Empty in another world.
    package var canaries: [CanarySpelling] = []

    package init(
        name: String, line: Int = 1, command: Command, networks: [NetworkSchedule] = [.nat64],
        environment: [String: String] = [:], folder: String? = nil, tags: [String] = [],
        timeout: Duration = .seconds(60), grace: Duration = .seconds(5), slow: Duration = .seconds(10),
        getaddrinfo: GetaddrinfoProfile = .linux, expectations: Expectations = Expectations(),
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
        self.getaddrinfo = getaddrinfo
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
