/// What is measured; all of it, where nothing else is asked for.
enum Part: String, CaseIterable, Encodable {
    case run, trace, suite, packets, sessions, dns, throughput, datagrams

    var title: String {
        switch self {
        case .run: "Wall time of a run"
        case .trace: "Clients, traced and not"
        case .suite: "200 cases of true, as a suite and one by one"
        case .packets: "The NAT64's own time for a packet, and its allocations"
        case .sessions: "Many sessions"
        case .dns: "AAAA questions for \(OwnNameServer.names) IPv4-only names (dnsperf)"
        case .throughput: "One TCP stream (iperf3)"
        case .datagrams: "Datagrams of \(DatagramStream.usualSize) octets, unless it says otherwise"
        }
    }
}
