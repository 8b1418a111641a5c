package import Evidence

/// A test on one network. Its name is the same in every result, baseline, filter and shard.
package struct SuiteCase: Hashable, Sendable {
    package var test: SuiteTest
    package var network: Network

    package init(test: SuiteTest, network: Network) {
        self.test = test
        self.network = network
    }

    /// `fetch@nat64`
    package var id: String { "\(test.name)@\(network.rawValue)" }
}
