// SPDX-License-Identifier: Apache-2.0
/// The fuzz targets: each turns any octets into an action, performs it, and checks the result.
///
/// The fuzzer and the tests call the same function: a trap, a broken invariant or a timeout is a find.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The layouts of packets, and addresses in text.
    case wire
    /// The first octets of TCP connections, in segments.
    case hello
    /// The stateless translator.
    case translation
    /// A sequence of events for a stateful NAT64: packets from both sides, and time.
    case nat64
    /// A router with a CLAT, between a client and the world.
    case clat
    /// A router with many clients on one link.
    case clients
    /// Conditions as text, and a router under them.
    case conditions
    /// A link's set-up as text, and a router that advertises itself.
    case advertisement
    /// The detector of devices on a LAN, and the router of a device on it.
    case neighbours
    /// A router with paths to distant hosts.
    case paths
    /// A router that joins datagrams, compared with one that does not.
    case joining
    /// The reader and the writer of DNS messages.
    case message
    /// Records and zone files in presentation format.
    case zone
    /// A sequence of events for a DNS64: clients, forwarders, faults, and time.
    case dns64
    /// Faults of the DNS64 as text.
    case fault
    /// The NAT64's configuration file.
    case configuration
    /// The frames of packet files.
    case frame
    /// Whole packet files, through `nat64sim translate`.
    case capture
    /// The reports of test runners.
    case results
    /// The scanner of sources and its findings; the suppressions file.
    case scan
    /// Payloads of hosts and clients.
    case payload
    /// Executables, and addresses in their data.
    case executable
    /// The core of literal synthesis, and its records.
    case synthesis
    /// The octets of a proxy's clients.
    case proxy

    package func run(_ input: [UInt8]) throws(BrokenInvariant) {
        switch self {
        case .wire: try fuzzWire(input)
        case .hello: try fuzzHello(input)
        case .translation: try fuzzTranslation(input)
        case .nat64: try fuzzNAT64(input)
        case .clat: try fuzzCLAT(input)
        case .clients: try fuzzClients(input)
        case .conditions: try fuzzConditions(input)
        case .advertisement: try fuzzAdvertisement(input)
        case .neighbours: try fuzzNeighbours(input)
        case .paths: try fuzzPaths(input)
        case .joining: try fuzzJoining(input)
        case .message: try fuzzMessage(input)
        case .zone: try fuzzZone(input)
        case .dns64: try fuzzDNS64(input)
        case .fault: try fuzzFault(input)
        case .configuration: try fuzzConfiguration(input)
        case .frame: try fuzzFrame(input)
        case .capture: try fuzzCapture(input)
        case .results: try fuzzResults(input)
        case .scan: try fuzzScan(input)
        case .payload: try fuzzPayload(input)
        case .executable: try fuzzExecutable(input)
        case .synthesis: try fuzzSynthesis(input)
        case .proxy: try fuzzProxy(input)
        }
    }
}
