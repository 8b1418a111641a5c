// SPDX-License-Identifier: Apache-2.0
/// The parts of the benchmark.
enum Part: String, CaseIterable, Encodable {
    case run, daemon, memory, size, trace, suite, packets, sessions, dns, throughput, datagrams

    var title: String {
        switch self {
        case .run: "Wall time of a run"
        case .daemon: "A run through a daemon, and one with a simulator of its own"
        case .memory: "Memory of a run, and of a daemon with \(IdleMemory.clients) idle clients"
        case .size: "The executable, which is both programs, and the image"
        case .trace: "Clients, traced and not"
        case .suite: "200 cases of true, as a suite and one by one"
        case .packets: "The NAT64's own time for a packet, and its allocations"
        case .sessions: "Many sessions"
        case .dns: "AAAA questions for \(OwnNameServer.names) IPv4-only names (dnsperf)"
        case .throughput: "TCP streams (iperf3)"
        case .datagrams: "Datagrams of \(DatagramStream.usualSize) octets, unless it says otherwise"
        }
    }
}
