// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Evidence
import ConfigurationFiles
import ConfigurationText
import StandaloneTranslator
import Glibc
import LinuxNet
import NAT64
import Terminal
import Text
import Translation
import Wire

struct TranslateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "translate",
        abstract: "Translate the packets of a capture, of two sockets, or of a TUN interface.",
        usage: """
            nat64sim translate [--config FILE] [--json FILE] [--until TIME] [--super-packets] IN.pcap OUT.pcap
            nat64sim translate [--config FILE] [--json FILE] [--end-with-parent] --packet-fd6 N --packet-fd4 M
            nat64sim translate [--config FILE] [--json FILE] [--end-with-parent] --tun NAME
            """,
        discussion: """
            Of a capture, IPv6 packets come from the client's side and IPv4 packets from the world's. Time is the \
            capture's: five minutes pass in no time. Same input, same output. "-" is the standard input or output.

            Of sockets, a datagram is a packet; IPv6 packets come and go at one, IPv4 packets at the other, until the other \
            ends of both are gone or SIGTERM comes. That the other end of a SOCK_DGRAM pair is gone shows when a packet is \
            sent there; an empty datagram from there says it at once.

            Of a TUN interface, what the host routes there is translated, and comes out there in the other family: the way of \
            TAYGA. The interface is made where there is none; addresses and routes are yours to set.

            In real time, SIGHUP reads the configuration file again (mode: stateless), and SIGUSR1 shows the counters.
            """)

    @Option(help: ArgumentHelp("The configuration file (default: stateful, 64:ff9b::/96).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Write the result of each packet, and the counters, to this file.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Let the clock run on after the last packet: 300, 1.5, 5m, 2h.", valueName: "time"))
    var until: WrittenDuration?

    @Flag(help: "Take TCP packets that are larger than the MTU for super-packets of segmentation offload.")
    var superPackets = false

    @Option(help: ArgumentHelp("The descriptor at which IPv6 packets come and go.", valueName: "n"))
    var packetFd6: Int32?

    @Option(help: ArgumentHelp("The descriptor at which IPv4 packets come and go.", valueName: "m"))
    var packetFd4: Int32?

    @Option(help: ArgumentHelp("The TUN interface at which packets of both families come and go.", valueName: "name"))
    var tun: String?

    @Flag(help: "End when the process that started this one ends.")
    var endWithParent = false

    @Argument(help: ArgumentHelp("The capture to translate: pcap or pcapng; - for stdin.", valueName: "in.pcap"))
    var input: String?

    @Argument(help: ArgumentHelp("The capture to write: raw IP with nanoseconds; - for stdout.", valueName: "out.pcap"))
    var output: String?

    func validate() throws {
        switch (packetFd6, packetFd4, tun, input, output) {
        case (nil, nil, nil, _?, _?):
            if endWithParent { throw ValidationError("--end-with-parent is for --packet-fd6, --packet-fd4 and --tun") }
        case (_?, _?, nil, nil, nil), (nil, nil, _?, nil, nil):
            if until != nil || superPackets { throw ValidationError("--until and --super-packets are for captures") }
        default: throw ValidationError("give IN.pcap and OUT.pcap, or both --packet-fd6 and --packet-fd4, or --tun")
        }
    }

    func run() throws {
        do {
            if endWithParent { try Signals.send(SIGTERM, whenParentEnds: Signals.parent) }
            let configuration = try config.map { try TranslatorConfiguration(file: $0) } ?? TranslatorConfiguration()
            if let input, let output {
                try replay(configuration, input, output)
            } else if let packetFd6, let packetFd4 {
                say(try DescriptorLoop.run(configuration, ipv6: packetFd6, ipv4: packetFd4, report: json, owner: owner))
            } else if let tun {
                say(try DescriptorLoop.run(configuration, tun: tun, report: json, owner: owner))
            }
        } catch {
            throw CommandFailure(description: "\(error)", status: .usage)
        }
    }

    private func replay(_ configuration: TranslatorConfiguration, _ input: String, _ output: String) throws {
        var options = Replay.Options()
        options.runOn = until?.duration
        options.hasSuperPackets = superPackets
        let summary = try Replay.run(configuration, from: input, to: output, report: json, options: options)
        Notice.show(
            "\(counted(summary.packets, "packet")) in, \(summary.outputs) out, \(counted(summary.translator.drops.counters.total, "drop"))"
                + (summary.skipped > 0 ? ", \(summary.skipped) skipped (the translator's own)" : ""))
        say(summary.translator)
    }

    private var owner: DescriptorLoop.Owner {
        let config = config
        return DescriptorLoop.Owner(reread: config.map { path in { try TranslatorConfiguration(file: path) } }) {
            news in
            switch news {
            case .counters(let summary): say(summary)
            case .reread: Notice.show("nat64sim: \(config ?? ""): read again")
            case .notReread(let error): Notice.show("nat64sim: \(error)\nThe configuration stays as it is.")
            }
        }
    }

    private func say(_ summary: TranslatorSummary) {
        for counter in summary.counters.named where counter.count > 0 {
            Notice.show("  \(counter.name.padded(to: 32)) \(counter.count)")
        }
        for drop in summary.drops.entries {
            Notice.show("  \(("drop " + drop.reason.name).padded(to: 32)) \(drop.count)  (\(drop.reason.explanation))")
            Notice.show("  \("".padded(to: 32)) first: \(drop.example)")
        }
    }
}
