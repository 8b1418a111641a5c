// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology

extension CanarySpelling {
    /// `nil` of a public host, which is to be reached.
    package var trial: CanaryTrial? {
        publicHost == nil ? CanaryTrial(url: url, spelling: manner, deadEnd: deadEnd) : nil
    }
}

extension SuiteTest {
    /// Where the URL stands in a command, a variable or the path of a probe; and the variable that always has it.
    package static let urlPlaceholder = "{url}"
    package static let urlVariable = "CANARY_URL"

    /// Whether its client is told the URL at all.
    package var takesURL: Bool {
        (command.arguments + environment.values).contains {
            $0.contains(Self.urlPlaceholder) || $0.contains(Self.urlVariable)
        }
    }

    /// The same test once for each spelling, on the network on which that leads somewhere. A client that ends in whatever way without having
    /// reached a canary has held.
    package var canaryTests: [SuiteTest] {
        CanarySpelling.all.map { spelling in
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
            test.canary = spelling
            return test
        }
    }
}
