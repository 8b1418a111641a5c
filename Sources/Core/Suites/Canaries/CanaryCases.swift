// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text
import Topology

extension CanarySpelling {
    package var trial: CanaryTrial {
        CanaryTrial(url: url, spelling: manner, deadEnd: deadEnd, path: path, isPublic: publicHost != nil)
    }
}

extension SuiteTest {
    /// The URL's placeholder in a command, a variable or the path of a probe, and the variable that always contains the URL.
    package static let urlPlaceholder = "{url}"
    package static let urlVariable = "CANARY_URL"

    /// The trials that its runs are judged by. Reaching a single public host is an expectation, as in other tests.
    package var trials: [CanaryTrial] {
        canaries.count == 1 && canaries[0].publicHost != nil ? [] : canaries.map(\.trial)
    }

    /// Whether its client gets the URL at all.
    package var takesURL: Bool {
        (subject == nil ? command.arguments + environment.values : probedPaths).contains {
            $0.contains(Self.urlPlaceholder) || $0.contains(Self.urlVariable)
        }
    }

    private var probedPaths: [String] {
        probes.compactMap { if case .page(let request) = $0.action { request.path } else { nil } }
    }

    /// A copy of the test for each network, for a server that is asked to fetch URLs; each run gets all URLs, one after the other.
    private var serverTests: [SuiteTest] {
        [Network.nat64, .dualStack].map { network in
            var test = self
            test.networks = [NetworkSchedule(network)]
            test.canaries = CanarySpelling.all.filter { $0.network == network && !$0.isProxied }
            test.probes = test.canaries.flatMap { spelling in
                probes.map { probe in
                    guard case .page(var request) = probe.action else { return probe }
                    request.path.replace(Self.urlPlaceholder, with: percentEncoded(spelling.url))
                    return Probe(probe.origin, .page(request))
                }
            }
            test.timeout = max(timeout, .seconds(600))
            return test
        }
    }

    /// A copy of the test for each spelling, on the network on which the spelling leads to a host. A client that reaches no canary passes,
    /// however it ends.
    package var canaryTests: [SuiteTest] {
        if subject != nil { return serverTests }
        return CanarySpelling.all.map { spelling in
            func given(_ text: String) -> String { text.replacing(Self.urlPlaceholder, with: spelling.url) }
            var test = self
            test.name = name.isEmpty ? spelling.name : "\(name).\(spelling.name)"
            test.networks = [NetworkSchedule(spelling.network)]
            test.command =
                switch command {
                case .words(let words): .words(words.map(given))
                case .shell(let line): .shell(given(line))
                }
            test.environment = environment.mapValues(given)
            test.environment[Self.urlVariable] = spelling.url
            if spelling.isProxied {
                for name in ["http_proxy", "HTTP_PROXY"] {
                    test.environment[name] = "http://proxy.\(Canary.domain):\(CanaryPlan.proxyPort)"
                }
            }
            test.expectations = Expectations(exit: nil)
            if let host = spelling.publicHost { test.expectations.flows = FlowExpectation(host).map { [$0] } ?? [] }
            test.isOffline = true
            test.canaries = [spelling]
            return test
        }
    }
}
