// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// Forwarding and masquerading, from the clients' links to the destinations of the host's routes.
///
/// The script that sets it up removes it when this process has ended. Later it accepts only one kind of line: the contents of the set
/// `allowed`; so a daemon that has given up its rights can still change that, and nothing else.
///
/// If IPv4 forwarding was off, it is switched on, and the table's policy makes the host forward only our packets. From that policy other
/// instances know that it was off; the last to end switches it off. An instance's interface (`Anchor`) exists before its table and after
/// it. So an instance without a table is about to end (only one at a time starts, by `StartLock`), and may still switch forwarding off: the
/// script waits for it. A table without its interface is left over from an instance whose process and script were killed: the next start
/// or end removes it.
struct Masquerade: ~Copyable, Sendable {
    private let script: Coprocess

    private static let ready = "ready"
    private static let commands = #"""
        trap '' PIPE
        name=$4
        forwarding=/proc/sys/net/ipv4/ip_forward
        command -v nft >/dev/null || { echo missing; exit; }

        is_instance() {
            case $1 in nat64sim*) ;; *) return 1 ;; esac
            case ${1#nat64sim} in *[!0-9]*) return 1 ;; esac
        }
        # Of each instance that has a table, its name, and once more with :drop if that is its policy.
        list_tables() {
            nft list chains inet | while read -r line; do
                case $line in
                'table inet '*) table=${line#table inet }; table=${table%' {'}; is_instance "$table" && echo "$table" ;;
                'chain '*) chain=$line ;;
                *'policy drop;'*) is_instance "$table" && [ "$chain" = 'chain forward {' ] && echo "$table:drop" ;;
                esac
            done
        }
        list_anchors() {
            while IFS=': ' read -r interface _; do is_instance "$interface" && echo "$interface"; done </proc/self/net/dev
        }
        look() {
            tables=" $(echo $(list_tables)) "
            anchors=" $(echo $(list_anchors)) "
        }
        has_anchor() { case $anchors in *" $1 "*) ;; *) return 1 ;; esac; }
        # Looks when no other instance is about to end.
        look_settled() {
            tries=0
            while look; do
                unsettled=
                for anchor in $anchors; do
                    case $name$tables in "$anchor "* | *" $anchor "*) ;; *) unsettled=yes ;; esac
                done
                [ "$unsettled" ] && [ $tries -lt 100 ] || break
                tries=$((tries + 1))
                sleep 0.05
            done
        }
        remove_stale() {
            for table in $tables; do
                case $table in *:drop) continue ;; esac
                has_anchor "$table" || printf 'table inet %s\ndelete table inet %s\n' "$table" "$table"
            done
        }
        tidy() {
            nft delete table inet $name
            [ "$was" = 1 ] && return
            look
            for table in $tables; do
                ! has_anchor "$table" || [ "$table" = $name ] || return
            done
            echo 0 >$forwarding
            remove_stale | nft --file -
        }

        look_settled
        has_anchor $name || { echo "/proc does not show the interface $name"; exit; }
        was=$(cat $forwarding)
        case $tables in *:drop*) was=0 ;; esac
        policy=accept
        [ "$was" = 1 ] || policy=drop
        { remove_stale; echo "$1"; echo "chain inet $name forward { policy $policy; }"; } | nft --file - || exit
        names() { echo "chain inet $name names { $1"; echo '}'; }
        names "$2" | nft --file - 2>/dev/null || names "$3" | nft --file - || { tidy; exit; }
        look_settled
        [ "$(cat $forwarding)" = 1 ] || echo 1 >$forwarding || { tidy; echo forwarding; exit; }
        echo ready
        while IFS= read -r allowed; do
            case $allowed in *[!0-9./,]*) continue ;; esac
            { echo "flush set inet $name allowed"
              [ -z "$allowed" ] || echo "add element inet $name allowed { $allowed }"; } | nft --file - && echo ready
        done
        tidy
        """#

    /// - Parameter anchor: kept until the rules are removed.
    init(_ rules: Ruleset, keeping anchor: borrowing Anchor) throws(UplinkError) {
        let script = try Self.start(
            [rules.text, Ruleset.names, Ruleset.anyNames, rules.instance.name], keeping: anchor)
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

    /// Changes the destinations that may be reached in addition to public addresses.
    borrowing func allow(_ prefixes: [IPv4Prefix]) throws(UplinkError) {
        script.send(prefixes.map { "\($0)" }.joined(separator: ","))
        if let words = Self.answer(of: script) { throw .rules(words.joined(separator: "\n")) }
    }

    /// `nil` if the script has succeeded, otherwise its output.
    private static func answer(of script: borrowing Coprocess) -> [String]? {
        script.wait(for: ready, until: MonotonicClock.now() + .seconds(10))
    }
}
