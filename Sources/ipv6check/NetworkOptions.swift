public import ArgumentParser
public import CheckRunner
public import Findings

extension Network: ExpressibleByArgument {}
extension ControlPolicy: ExpressibleByArgument {}
extension GetaddrinfoProfile: ExpressibleByArgument {}

/// The options that a check and a shell have in common.
struct NetworkOptions: ParsableArguments {
    @Option(help: "The network to put the client on.")
    var network = Network.nat64

    @Option(
        help: ArgumentHelp("The Pref64: an RFC 6052 prefix of length 32, 40, 48, 56, 64 or 96.", valueName: "prefix"))
    var prefix: String?

    @Option(
        help: ArgumentHelp("The world file: hosts, records and services (default: the demo world).", valueName: "file"))
    var world: String?

    @Option(help: ArgumentHelp("Write all packets of both sides to this file (pcap).", valueName: "file"))
    var pcap: String?

    @Option(
        help: ArgumentHelp(
            "Whose getaddrinfo the client finds: apple (the default, with literal synthesis), apple-ios9, android, chromium or linux.",
            valueName: "profile"))
    var getaddrinfo: GetaddrinfoProfile?

    func apply(to options: inout CheckOptions) {
        options.network = network
        options.prefix = prefix
        options.worldFile = world
        options.pcapFile = pcap
        options.getaddrinfo = getaddrinfo
    }
}
