// SPDX-License-Identifier: Apache-2.0
/// A stream of datagrams, and the aims for its translators.
struct DatagramStream {
    /// Octets of payload.
    var size = 64
    /// Flows that send in turns.
    var flows = 1
    /// Datagrams a second; 0 for the sender's maximum.
    var rate: Double
    /// Aim for the share of a processor, in percent.
    var share: Aim?
    /// Aim for the received share of the offered datagrams.
    var arrival: Aim?
    /// Aim for the multiple of tayga's received rate.
    var advantage: Aim?
    /// The translators with which ours is compared.
    var peers: [Translators.Peer] = [.tayga]

    static let all = [
        DatagramStream(rate: 50_000),
        DatagramStream(rate: 100_000, share: .atMost(30), peers: [.tayga, .plain, .joined]),
        DatagramStream(rate: 150_000),
        DatagramStream(rate: 300_000, arrival: .atLeast(0.95), peers: [.tayga, .joined]),
        DatagramStream(rate: 0, advantage: .atLeast(2.5), peers: [.tayga, .joined]),
        DatagramStream(flows: 4, rate: 100_000), DatagramStream(flows: 16, rate: 100_000),
        DatagramStream(size: 1_400, rate: 50_000), DatagramStream(size: 1_400, flows: 4, rate: 50_000),
    ]

    var name: String {
        let what = size == Self.usualSize ? "" : "\(size) octets, "
        let flows = flows == 1 ? "" : "\(flows) flows, "
        return what + flows + (rate == 0 ? "flood" : "\(Int(rate / 1000)) kpps")
    }

    static let usualSize = 64
}
