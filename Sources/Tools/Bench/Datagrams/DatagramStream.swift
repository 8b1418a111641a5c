// SPDX-License-Identifier: Apache-2.0
/// What is sent, and what is asked of those who translate it.
struct DatagramStream {
    /// Octets of payload.
    var size = 64
    /// Flows that send in turns.
    var flows = 1
    /// Datagrams a second; 0 is as fast as the sender goes.
    var rate: Double
    /// Of a processor, at most.
    var share: Aim?
    /// Of what is offered.
    var arrival: Aim?
    /// Times what arrives by tayga.
    var advantage: Aim?
    /// Who translates it beside us.
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
