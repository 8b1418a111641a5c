// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import ConfigurationText
import Router
import Terminal
package import Topology
import ArgumentParser
package import Diagnosis
package import Evidence

extension Network: ExpressibleByArgument {}
extension ControlPolicy: ExpressibleByArgument {}
extension TracePolicy: ExpressibleByArgument {}
extension GetaddrinfoProfile: ExpressibleByArgument {}
extension URLLoading: ExpressibleByArgument {}
extension ProxyVariables: ExpressibleByArgument {}
extension TestCaches: ExpressibleByArgument {}

extension LinkFault: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// The options that a check and a shell have in common.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The network to put the client on: \(Network.allCases.map(\.rawValue).joined(separator: ", ")) (default: nat64); docs/networks.md has what there is on each. Or one after the other while it runs: 'dual-stack 5s, none 1s, nat64'.",
            valueName: "network"),
        completion: .list(Network.allCases.map(\.rawValue)), transform: { try NetworkSchedule($0) })
    var network: NetworkSchedule?

    @OptionGroup var place: SimulatorOption

    @OptionGroup var worldOptions: WorldOptions

    @OptionGroup var uplink: UplinkOptions

    @Option(help: ArgumentHelp("Write all packets of both sides to this file (pcap).", valueName: "file"))
    var pcap: String?

    @Option(
        help: ArgumentHelp(
            "Whose getaddrinfo your program finds: linux, the machine's own (default), or one with literal synthesis.",
            valueName: "system"))
    var getaddrinfo = GetaddrinfoProfile.linux

    @Option(
        help: ArgumentHelp(
            "The URL loading to emulate, for clients of Foundation's URLSession alone: apple synthesises an address for an IPv4 literal in a URL, and a program that passes only this way gets a warning (default: linux).",
            valueName: "system"))
    var urlLoading: URLLoading?

    @Option(
        help: ArgumentHelp(
            "The MTU of the client's link and of the world's: 1280 to 65535 (default: 1500).", valueName: "octets"))
    var mtu: Int?

    @Option(
        help: ArgumentHelp(
            "The MTU of the world's link, if it differs: 576 to 65535; less than 1280 is for IPv4 alone.",
            valueName: "octets"))
    var worldMtu: Int?

    @Option(
        help: ArgumentHelp(
            "How the client comes by its IPv6 address: static (default), or ra, from the router's advertisements; also with managed, other, lifetime=, pref64=, no-pref64, no-rdnss, search= (ra,managed,search=corp.test); docs/networks.md.",
            valueName: "setup"),
        completion: .list(["static", "ra"]), transform: { try LinkSetup($0) })
    var link: LinkSetup?

    @Option(
        help: ArgumentHelp(
            "The prefix of the program's own addresses, of 64 bits; apple is that of Apple's test network (default: \(ClientLink.standard.prefix)).",
            valueName: "prefix"),
        completion: .list(["apple"]), transform: { try ClientLink($0) })
    var clientPrefix: ClientLink?

    @Option(
        help: ArgumentHelp(
            "The name of the client's interface, such as en0 or wlan0 (default: \(InterfaceName.usual)).",
            valueName: "name"),
        transform: { try InterfaceName($0) })
    var interface: InterfaceName?

    @Option(
        help: ArgumentHelp(
            "A TCP port of this machine that the program finds at its own 127.0.0.1 and ::1, such as that of a database (repeatable): 5432, or 5432:15432 for this machine's port 15432.",
            valueName: "port"),
        transform: { try HostPort($0) })
    var hostPort: [HostPort] = []

    @Option(
        help: ArgumentHelp(
            "Which of http_proxy and similar variables the program sees: those of the simulated network (world, the default), or all (keep).",
            valueName: "variables"))
    var proxy: ProxyVariables = .world

    @Option(
        help: ArgumentHelp(
            "Whether go test may take results from its cache: avoid (the default) adds -count=1 to GOFLAGS, keep leaves it; docs/caches.md has other tools.",
            valueName: "use"))
    var caches: TestCaches = .avoid

    @Option(
        help: ArgumentHelp(
            "A fault of the links (repeatable): ipv6-black-hole=1400 or ipv4-black-hole=1400 silently drops packets larger than that (a path-MTU black hole).",
            valueName: "fault"))
    var fault: [LinkFault] = []

    @Option(
        help: ArgumentHelp(
            "How the NAT64 differs from the RFCs' defaults (repeatable): forgets=30s drops idle sessions silently; tcp-established=10s, udp=10s and other time-outs; sessions-per-host=50; lowest-ipv6-mtu=1280.",
            valueName: "setting"))
    var nat64: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the network is like (repeatable): lte, 3g, edge, very-bad-network and others, delay=80ms, loss=1%, rate=5mbit …, also combined (lte,loss=3%) and for one network (nat64:lte); docs/conditions.md has them all.",
            valueName: "conditions"))
    var conditions: [String] = []

    func apply(to options: inout CheckOptions) throws(CheckFailure) {
        options.uplink = try uplink.chosen()
        options.schedule = network ?? .nat64
        options.simulator = place.simulator
        options.prefix = worldOptions.prefix
        options.worldFile = worldOptions.file.world
        options.dnsFaults = worldOptions.dnsFault
        options.pcapFile = pcap
        options.request.getaddrinfo = getaddrinfo
        if let urlLoading { options.request.urlLoading = urlLoading }
        options.mtu = mtu
        options.worldMTU = worldMtu
        options.request.link = link
        options.request.clientLink = clientPrefix
        options.request.interface = interface
        options.request.hostPorts = hostPort
        options.request.proxies = proxy
        options.request.caches = caches
        options.faults = fault
        options.request.conditions = conditions
        options.request.nat64 = nat64
    }
}

extension UplinkOptions {
    /// `nil` if none of the options is given.
    func chosen() throws(CheckFailure) -> UplinkConfiguration? {
        do throws(OptionError) {
            return try configuration()
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }
}
