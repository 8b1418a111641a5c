// SPDX-License-Identifier: Apache-2.0
package import Topology

/// A test on one network, or on several in turn. Its name is the same in every result, baseline, filter and shard.
package struct SuiteCase: Hashable, Sendable {
    package var test: SuiteTest
    package var network: NetworkSchedule

    package init(test: SuiteTest, network: NetworkSchedule) {
        self.test = test
        self.network = network
    }

    /// `fetch@nat64`, `fetch@dual-stack-5s,none-1s,nat64`
    package var id: String { "\(test.name)@\(network.name)" }
}
