// SPDX-License-Identifier: Apache-2.0
/// A path from clients through a translator to IPv4 hosts of the world.
protocol Way: AnyObject {
    /// Seconds of processor time that the translator has used.
    var processorTime: Double { get }
    /// The address of an IPv4 host for a client.
    func address(of host: String) -> String
    /// Runs a client to its end, and returns its output.
    func run(_ command: [String], within limit: Duration) throws(BenchFailure) -> String
}
