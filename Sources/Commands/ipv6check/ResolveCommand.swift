// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import ConfigurationText
import Evidence
import Text
import Translation
import Wire

struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Show what getaddrinfo would answer on an IPv6-only network, on which system.",
        usage: "ipv6check resolve [options] NODE [SERVICE]",
        discussion: """
            Nothing is run and nothing is sent for an address. A name is looked up on this machine, as are the answers that a \
            profile leaves alone.

              ipv6check resolve 198.51.100.10 80
              ipv6check resolve 198.51.100.10 --family inet6 --prefix 2001:db8:64::/96
            """)

    @Option(
        help: ArgumentHelp(
            "ai_family: unspec, inet or inet6. Without any hint the hints are NULL.", valueName: "family"))
    var family: Hint<Family>?

    @Option(help: ArgumentHelp("ai_socktype: stream, dgram or raw.", valueName: "type"))
    var socktype: Hint<Socktype>?

    @Option(
        help: ArgumentHelp("ai_flags, separated by commas: addrconfig, numerichost, canonname, …", valueName: "flags"))
    var flags: FlagSet?

    @Option(help: ArgumentHelp("Only this profile (repeatable; default: all of them).", valueName: "profile"))
    var profile: [GetaddrinfoProfile] = []

    @Option(help: ArgumentHelp("A Pref64 of the network (repeatable; default: 64:ff9b::/96).", valueName: "prefix"))
    var prefix: [String] = []

    @Argument(help: "An address or a name.")
    var node: String

    @Argument(help: "A port or a service.")
    var service: String?

    func run() throws {
        let prefixes = try prefixes()
        let hints =
            family == nil && socktype == nil && flags == nil
            ? nil
            : LookupHints(
                family: family?.number ?? 0, socktype: socktype?.number ?? 0, protocol: 0, flags: flags?.bits ?? 0)
        let lookup = ImaginedLookup(node: node, service: service, hints: hints)
        for profile in profile.isEmpty ? GetaddrinfoProfile.allCases : profile {
            let rows = AnswerRows(lookup.answer(of: profile, under: prefixes), prefixes: prefixes)
            for (index, row) in rows.lines.enumerated() {
                print((index == 0 ? profile.rawValue : "").padded(to: 12) + row)
            }
        }
    }

    private func prefixes() throws(CheckFailure) -> [Pref64] {
        if prefix.isEmpty { return [.wellKnown] }
        do throws(OptionError) {
            return try prefix.map { text throws(OptionError) in try Pref64(option: text) }
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }
}

/// An answer as rows of a table.
private struct AnswerRows {
    let lines: [String]

    init(_ answer: ImaginedLookup.Answer, prefixes: [Pref64]) {
        if answer.result != 0 {
            lines = [LookupError.name(answer.result)]
            return
        }
        lines = answer.entries.map { entry in
            let socktype = LookupHints.socktypes.first { $0.number == entry.socktype }?.name ?? "\(entry.socktype)"
            var line =
                "\(entry.address) ".padded(to: 40) + "port \(entry.port) ".padded(to: 12)
                + "\(socktype) ".padded(to: 13)
            if let address = entry.address.ipv6, prefixes.contains(where: { $0.contains(address) }) {
                line += "synthesised"
            }
            return String(line.trimmingSuffix(" "))
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self[...]
        while rest.last == character { rest.removeLast() }
        return rest
    }
}

// MARK: - Hints by name

/// A constant of <netdb.h> on the command line: `AF_INET6` or `inet6`.
protocol HintNames {
    static var names: [(name: String, number: Int)] { get }
    static var start: String { get }
}

extension HintNames {
    static func number(_ text: some StringProtocol) -> Int? {
        let wanted = text.uppercased()
        return names.first { $0.name == wanted || $0.name == start + wanted }?.number
    }
}

enum Family: HintNames {
    static let names = LookupHints.families
    static let start = "AF_"
}

enum Socktype: HintNames {
    static let names = LookupHints.socktypes
    static let start = "SOCK_"
}

enum FlagName: HintNames {
    static let names = LookupHints.flags
    static let start = "AI_"
}

struct Hint<Names: HintNames>: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let number = Names.number(argument) else { return nil }
        self.number = number
    }
}

/// `addrconfig,numericserv`.
struct FlagSet: ExpressibleByArgument {
    let bits: Int

    init?(argument: String) {
        var bits = 0
        for word in argument.split(separator: ",") {
            guard let flag = FlagName.number(word) else { return nil }
            bits |= flag
        }
        self.bits = bits
    }
}
