// SPDX-License-Identifier: Apache-2.0
/// A way from clients to IPv4 hosts of the world, through a translator.
protocol Way: AnyObject {
    /// Seconds that the translator has had a processor.
    var processorTime: Double { get }
    /// Where a client finds an IPv4 host.
    func address(of host: String) -> String
    /// Runs a client to its end, and returns what it said.
    func run(_ command: [String], within limit: Duration) throws(BenchFailure) -> String
}
