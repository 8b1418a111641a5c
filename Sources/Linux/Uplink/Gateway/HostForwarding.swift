// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// IPv6 forwarding between the clients' interfaces and the gateway's, on the host.
///
/// A script switches it on if it is off, and off again when this process has ended for any reason. If the kernel has `force_forwarding`
/// (Linux 6.17), `careful` switching affects only these interfaces, otherwise the whole host: the kernel then immediately and permanently deletes a
/// default route that an interface with `accept_ra` below 2 has from a router's advertisement. So that is refused, or `accept_ra` is set to
/// 2 first.
///
/// A rule keeps the clients' source addresses on their way to the gateway, even if an engine would replace them by its own (masquerading):
/// later chains ignore a connection that already has a source, even its own.
///
/// If there are several gateways, the last one switches off what the first has switched on. The settings to undo are also kept as words in
/// the gateway's nftables table: a gateway that ends while there are others writes its words into another's table, and checks a moment
/// later that the other one still exists. By then its own interface, which the script holds, is gone.
struct HostForwarding: ~Copyable, Sendable {
    private let script: Coprocess
    /// The settings that were changed, such as `br0/force_forwarding=1`.
    let changes: [String]
    /// Other tables that drop unknown packets, such as `ip6 filter`.
    let droppingTables: [String]

    /// Whether packets that an engine masquerades still arrive with their clients' source addresses.
    let keepsSources: Bool

    /// How forwarding is switched on if it is off.
    enum Switching: String, Sendable {
        /// On these interfaces alone, if the kernel can (`force_forwarding`); else on the whole host, and only if no route is lost.
        case careful
        /// On the whole host; `accept_ra` is set if a route would be lost.
        case protecting
    }

    private static let commands = #"""
        trap '' PIPE
        name=$1 switching=$2
        shift 2
        conf=/proc/sys/net/ipv6/conf
        words=
        set_to() { [ "$(cat "$1")" = "$2" ] || echo "$2" >"$1"; }
        # A word: where, which setting, and what it was.
        undo() {
            for word in $words; do
                case $word in all/forwarding=*) set_to $conf/all/forwarding "${word##*=}" ;; esac
            done
            for word in $words; do
                case $word in all/forwarding=*) continue ;; esac
                [ -e "$conf/${word%=*}" ] && set_to "$conf/${word%=*}" "${word##*=}"
            done
        }
        change() {
            was=$(cat "$conf/$1") || return 1
            [ "$was" = "$2" ] && return
            echo "$2" >"$conf/$1" || { echo "cannot set net.ipv6.conf.$1"; return 1; }
            words="$words $1=$was"
            echo "set $1=$2"
        }
        others() {
            while IFS=': ' read -r interface _; do
                case $interface in "$name") ;; nat64simgw*) echo "$interface" ;; esac
            done </proc/self/net/dev
        }
        has_interface() { others | grep -q -x "$1"; }
        kept_words() { nft list chain ip6 "$1" undo 2>/dev/null | sed -n 's/.*comment "\(.*\)".*/\1/p'; }
        keep_words() {
            for word in $words; do echo "add rule ip6 $1 undo counter comment \"$word\""; done | nft --file - 2>/dev/null
        }
        tidy() {
            kept=$(kept_words "$name")
            words=${kept:-$words}
            nft delete table ip6 "$name" 2>/dev/null
            exec 3<&-
            [ "$words" ] || return
            for other in $(others); do
                keep_words "$other" && sleep 0.3 && has_interface "$other" && return
            done
            undo
        }
        # The interfaces with a default route that the kernel has from a router's advertisement (RTF_ADDRCONF).
        advertised() {
            while read -r to length _ _ _ _ _ _ flags interface; do
                [ "$to$length" = 0000000000000000000000000000000000 ] && [ $((0x$flags & 0x40000)) != 0 ] && echo "$interface"
            done </proc/net/ipv6_route
        }

        # Where all of the host's interfaces forward for our sake, the others are kept from it.
        guard() {
            case $words in *all/forwarding=*) ;; *) return ;; esac
            echo "chain forward { type filter hook forward priority filter; policy drop;"
            echo "iifname \"$name\" accept; oifname \"$name\" accept;"
            for interface in "$@"; do echo "iifname \"$interface\" oifname \"$interface\" accept;"; done
            echo "}"
        }
        keep_sources() {
            nft --file - 2>/dev/null <<EOF
        table ip6 $name
        delete table ip6 $name
        table ip6 $name {
            chain leaving {
                type nat hook postrouting priority srcnat - 1
                oifname "$name" snat to ip6 saddr
            }
            chain undo {
            }
            $(guard "$@")
        }
        EOF
        }
        list_dropping() {
            nft list chain ip6 raw PREROUTING 2>/dev/null | grep -q drop && echo "drops ip6 raw"
            nft list chains 2>/dev/null | while read -r line; do
                case $line in
                'table '*) table=${line#table }; table=${table%' {'} ;;
                *'hook forward '*'policy drop;'*) case $table in *' nat64sim'*) ;; *) echo "drops $table" ;; esac ;;
                esac
            done
            for family in ip ip6; do
                [ -s /proc/net/${family}_tables_names ] || continue
                ${family}tables-legacy -S FORWARD 2>/dev/null | grep -q -e '-P FORWARD DROP' && echo "drops $family filter"
            done
        }

        if [ "$(cat $conf/all/forwarding)" != 1 ]; then
            if [ $switching = careful ] && [ -e "$conf/$name/force_forwarding" ]; then
                for interface in "$name" "$@"; do change "$interface/force_forwarding" 1 || { undo; echo failed; exit; }; done
            else
                for interface in $(advertised); do
                    [ "$(cat $conf/$interface/accept_ra)" = 2 ] && continue
                    [ $switching = protecting ] || { echo "route $interface"; exit; }
                    change "$interface/accept_ra" 2 || { undo; echo failed; exit; }
                done
                change all/forwarding 1 || { undo; echo failed; exit; }
            fi
        fi
        keep_sources "$@" || echo masquerading
        keep_words "$name"
        list_dropping
        echo ready
        while IFS= read -r _; do :; done
        tidy
        """#

    /// - Parameters:
    ///   - device: the descriptor of the gateway's interface, which is kept until its settings are undone.
    ///   - clients: the names of the interfaces behind which the clients are.
    init(
        keeping device: Int32, named name: String, and clients: [String], _ switching: Switching
    ) throws(UplinkError) {
        let script: Coprocess
        do throws(SystemError) {
            script = try Coprocess(
                Self.commands, arguments: [name, switching.rawValue] + clients, keeping: device)
        } catch {
            throw .network("\(error)")
        }
        var text: [UInt8] = []
        let outcome = script.receive(&text, until: MonotonicClock.now() + .seconds(10)) {
            Coprocess.lines($0).last == "ready" && $0.last == UInt8(ascii: "\n")
        }
        let lines = Coprocess.lines(text)
        guard outcome == .enough else {
            if let route = lines.first(where: { $0.hasPrefix("route ") }) {
                throw .losesRoute(interface: String(route.dropFirst(6)))
            }
            throw .network("IPv6 forwarding cannot be switched on: \(lines.joined(separator: "; "))")
        }
        self.script = script
        changes = lines.filter { $0.hasPrefix("set ") }.map { String($0.dropFirst(4)) }
        keepsSources = !lines.contains("masquerading")
        droppingTables = lines.filter { $0.hasPrefix("drops ") }.map { String($0.dropFirst(6)) }
    }
}
