// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// Forwarding and masquerading, from the clients' links to wherever the host's routes lead.
///
/// The script that sets it up takes it away again when this process has ended. It takes one kind of word from us later: what
/// the set `allowed` is to hold; so a daemon that has given up its rights can still change that, and nothing else.
///
/// Where IPv4 forwarding was off, it is switched on, and the table's policy keeps the host from forwarding anything but ours.
/// By that policy a successor knows that it was off, should both this process and the script have been killed.
struct Masquerade: ~Copyable, Sendable {
    private let script: Coprocess

    private static let ready = "ready"
    private static let commands = """
        trap '' PIPE
        forwarding=/proc/sys/net/ipv4/ip_forward
        command -v nft >/dev/null || { echo missing; exit; }
        was=$(cat $forwarding)
        case $(nft list chain inet nat64sim forward 2>/dev/null) in *'policy drop'*) was=0 ;; esac
        policy=accept
        [ "$was" = 1 ] || policy=drop
        { echo "$1"; echo "chain inet nat64sim forward { policy $policy; }"; } | nft --file - || exit
        tidy() {
            [ "$was" = 1 ] || echo 0 >$forwarding
            nft delete table inet nat64sim
        }
        names() { echo "chain inet nat64sim names { $1"; echo '}'; }
        names "$2" | nft --file - 2>/dev/null || names "$3" | nft --file - || { tidy; exit; }
        [ "$(cat $forwarding)" = 1 ] || echo 1 >$forwarding || { tidy; echo forwarding; exit; }
        echo ready
        while IFS= read -r allowed; do
            case $allowed in *[!0-9./,]*) continue ;; esac
            { echo 'flush set inet nat64sim allowed'
              [ -z "$allowed" ] || echo "add element inet nat64sim allowed { $allowed }"; } | nft --file - && echo ready
        done
        tidy
        """

    /// - Parameter anchor: stays until the rules are gone.
    init(_ rules: Ruleset, keeping anchor: borrowing Anchor) throws(UplinkError) {
        let script = try Self.start([rules.text, Ruleset.names, Ruleset.anyNames], keeping: anchor)
        guard let words = Self.answer(of: script) else {
            self.script = script
            return
        }
        switch words.last {
        case "missing": throw .missing(program: "nft", package: "nftables")
        case "forwarding": throw .forwarding(words.dropLast().joined(separator: " "))
        default: throw .rules(words.isEmpty ? "no answer" : words.joined(separator: "\n"))
        }
    }

    private static func start(
        _ arguments: [String], keeping anchor: borrowing Anchor
    ) throws(UplinkError) -> Coprocess {
        do throws(SystemError) {
            return try Coprocess(commands, arguments: arguments, keeping: anchor.descriptor)
        } catch {
            throw .rules("\(error)")
        }
    }

    /// Changes what may be reached besides public addresses.
    borrowing func allow(_ prefixes: [IPv4Prefix]) throws(UplinkError) {
        script.send(prefixes.map { "\($0)" }.joined(separator: ","))
        if let words = Self.answer(of: script) { throw .rules(words.joined(separator: "\n")) }
    }

    /// `nil` if it has done it, and otherwise what it says.
    private static func answer(of script: borrowing Coprocess) -> [String]? {
        script.wait(for: ready, until: MonotonicClock.now() + .seconds(10))
    }
}
