#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures `nat64sim gateway` beside `nat64sim serve --uplink host`, TAYGA and the kernel's forwarding, in turns, between network
# namespaces of its own: scripts/bench gateway [ROUNDS]; then 10,000 clients with 100 sessions each to a world. As root. NAT64SIM names the release's nat64sim; ipv6check lies beside it.
set -euo pipefail
rounds=${1:-5}
nat64sim=${NAT64SIM:?}
ipv6check=$(dirname "$nat64sim")/ipv6check
work=$(mktemp -d)
host=benchhost client=benchclient server=benchserver
cleanup() {
    for name in $host $client $server; do
        ip netns pids "$name" 2>/dev/null | xargs -r kill 2>/dev/null || true
        ip netns delete "$name" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap cleanup EXIT
for name in $host $client $server; do
    ip netns add "$name"
    ip -n "$name" link set lo up
done
at() { ip netns exec "$@"; }
# Background programs are started without this: the function's shell would be ended instead.
ip -n $host link add pods type bridge
ip -n $host link set pods up
ip -n $host address add fd00:10:89::1/64 dev pods nodad
ip -n $host link add pod type veth peer name eth0 netns $client
ip -n $host link set pod master pods up
ip -n $client link set eth0 up
ip -n $client address add fd00:10:89::5/64 dev eth0 nodad
ip -n $client route add default via fd00:10:89::1
ip -n $host link add outside type veth peer name eth0 netns $server
ip -n $host link set outside up
ip -n $server link set eth0 up
ip -n $host address add 203.0.113.2/24 dev outside
ip -n $server address add 203.0.113.1/24 dev eth0
ip -n $host route add default via 203.0.113.1
ip -n $server address add 8.8.4.4/32 dev lo
ip -n $host address add 2600:1::2/64 dev outside nodad
ip -n $server address add 2600:1::1/64 dev eth0 nodad
ip -n $server route add fd00:10:89::/64 via 2600:1::2
at $host sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv4.ip_forward=1
at $server iperf3 --server --daemon --logfile /dev/null
sleep 0.5

gigabits() { timeout 20 python3 -c 'import json, sys; print("%.2f" % (json.load(sys.stdin)["end"]["sum_received"]["bits_per_second"] / 1e9))'; }
until_ready() { for _ in $(seq 100); do grep -q "$1" "$2" && return; sleep 0.1; done; cat "$2" >&2; return 1; }

# Prints a number. Its background programs do not delay the reader.
one() {
    case $1 in
    kernel) at $client timeout 15 iperf3 --json --time 3 --client 2600:1::1 | gigabits ;;
    gateway)
        ip netns exec $host "$nat64sim" gateway --from fd00:10:89::/64 --sockets "$work/g" >"$work/log" 2>&1 &
        until_ready 'gateway: ready' "$work/log"
        at $client timeout 15 iperf3 --json --time 3 --client 64:ff9b::808:404 | gigabits
        kill $!; wait $! || true
        ;;
    serve)
        ip netns exec $host "$nat64sim" serve --uplink host --sockets "$work/s" >"$work/log" 2>&1 &
        until_ready ' ready ' "$work/log"
        at $host "$ipv6check" -q --control never --simulator "unix:$work/s/attach.sock" -- \
            timeout 15 iperf3 --json --time 3 --client 64:ff9b::808:404 | gigabits
        kill $!; wait $! || true
        ;;
    tayga)
        command -v tayga >/dev/null || { echo -; return; }
        mkdir -p "$work/tayga"
        printf '%s\n' 'tun-device nat64' 'ipv4-addr 192.168.255.1' 'prefix 64:ff9b::/96' 'ipv6-addr fd00:10:99::1' \
            'dynamic-pool 192.168.255.0/24' "data-dir $work/tayga" >"$work/tayga.conf"
        at $host tayga --config "$work/tayga.conf" --mktun >/dev/null
        ip -n $host link set nat64 up
        ip -n $host route replace 192.168.255.0/24 dev nat64
        ip -n $host route replace 64:ff9b::/96 dev nat64
        at $host nft 'table ip t { chain c { type nat hook postrouting priority srcnat; ip saddr 192.168.255.0/24 masquerade; }; }'
        ip netns exec $host tayga --config "$work/tayga.conf" --nodetach >/dev/null 2>&1 &
        sleep 0.5
        at $client timeout 15 iperf3 --json --time 3 --client 64:ff9b::808:404 | gigabits
        kill $!; wait $! || true
        at $host nft delete table ip t
        ip -n $host link delete nat64 || true
        ;;
    esac
}

echo "Gb/s of one TCP stream, of each round: kernel forwarding, gateway, serve, tayga"
for _ in $(seq "$rounds"); do
    line=
    for way in kernel gateway serve tayga; do line+="$(one $way) "; done
    echo "  $line"
done | tee "$work/results"
python3 - "$work/results" <<'P'
import statistics, sys
rows = [[float(word) if word != "-" else None for word in line.split()] for line in open(sys.argv[1])]
names = ["kernel", "gateway", "serve", "tayga"]
middle = [statistics.median([row[i] for row in rows]) if rows[0][i] is not None else None for i in range(4)]
for name, value in zip(names, middle):
    if value is not None:
        print(f"{name:8} {value:6.2f} Gb/s  gateway is {middle[1] / value:5.2f} of it")
P

# 10,000 addresses behind the client's, each with 100 sessions to a world.
ip -n $host route add fd00:10:99::/64 via fd00:10:89::5
ip -n $client route add local fd00:10:99::/64 dev lo
at $client sysctl -qw net.ipv6.ip_nonlocal_bind=1
ip netns exec $host "$nat64sim" gateway --from fd00:10:99::/64 --world "$(dirname "$0")/../../fixtures/worlds/demo.yaml" \
    --sockets "$work/m" --report "$work/report.json" >"$work/log" 2>&1 &
until_ready 'gateway: ready' "$work/log"
at $client python3 - <<'P'
import socket, time
begin = time.time()
for port in range(100):
    for number in range(10_000):
        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        s.bind(("fd00:10:99::%x:%x" % (number >> 12, (number & 0xfff) + 1), 20_000 + port))
        s.sendto(bytes(20), ("64:ff9b::c633:6407", 9))
        s.close()
print("1,000,000 datagrams of as many sockets sent in %.0f s" % (time.time() - begin))
P
simulator=$(pgrep -x simulator -P $! || true)
echo "memory    $(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$simulator/status") MB"
NAT64SIM_SOCKET=$work/m/control.sock "$nat64sim" counters | grep -E '^(sessions|bindings|gateway_clients) '
begin=$(date +%s%N)
NAT64SIM_SOCKET=$work/m/control.sock "$nat64sim" clients --json --limit 10000 >"$work/clients.json"
echo "clients   $((($(date +%s%N) - begin) / 1000000)) ms for $(wc -c <"$work/clients.json") octets"
begin=$(date +%s%N)
kill $!
wait $! || true
echo "end       $((($(date +%s%N) - begin) / 1000000)) ms, with the report"
