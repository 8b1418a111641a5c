# SPDX-License-Identifier: Apache-2.0
# Runs inside a minimal root (scripts/test-package): installs /root/ipv6check.deb, uses it, and purges it.
set -uo pipefail
failures=0
log=/root/log
expect() {
    local what=$1 status=$2 pattern=$3 got=0
    shift 3
    timeout -s KILL 120 "$@" >$log 2>&1 </dev/null || got=$?
    if [ "$got" = "$status" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" $log; }; then
        echo "  ok      $what"
    else
        echo "  FAILED  $what: exit $got, wanted $status and /$pattern/ in:"
        sed 's/^/          /' $log
        failures=$((failures + 1))
    fi
}
export DEBIAN_FRONTEND=noninteractive
# Files that apt and dpkg keep for themselves are no leftovers of the package.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt \) -prune -o -print | sort; }
# The user of the unit is made by systemd, which is not here.
useradd --create-home --home-dir /tmp/tester --no-log-init tester 2>/dev/null
useradd --system --no-create-home --no-log-init nat64sim 2>/dev/null
usermod --append --groups nat64sim tester
files >/root/before

expect "there is no Swift" 1 "" sh -c 'command -v swift || find / -xdev -name "libswift*" | grep .'
expect "it is installed" 0 "Setting up ipv6check" dpkg --install /root/ipv6check.deb
expect "it says its version" 0 "^$(dpkg-query -W -f '${Version}' ipv6check)$" ipv6check --version

user=(setpriv --reuid tester --regid tester --init-groups env HOME=/tmp/tester)
chmod 666 /dev/net/tun

expect "the README's first example works as root" 0 "PASS  curl" ipv6check curl -fsS http://shop.test/
expect "and as an ordinary user" 0 "PASS  curl" "${user[@]}" ipv6check curl -fsS http://shop.test/
expect "a client that fails is told why" 1 "V6C-001" "${user[@]}" ipv6check curl -fsS http://198.51.100.10/
expect "literal synthesis is there" 0 "by literal synthesis " "${user[@]}" ipv6check --getaddrinfo apple bash -c "exec 3<>/dev/tcp/198.51.100.10/80"
expect "a packet file is written without libpcap" 0 "" ipv6check -q --pcap /tmp/x.pcap curl -fsS -o /dev/null http://shop.test/
expect "to read one, libpcap is asked for" 2 "libpcap is needed" nat64sim translate /tmp/x.pcap /tmp/y.pcap

cd /tmp/tester || exit 2
printf 'version: 1\ntests:\n  - { name: fetch, command: [curl, -fsS, http://shop.test/] }\n' >ipv6check.yaml
expect "a suite runs" 0 "1 passed|PASS" "${user[@]}" ipv6check suite

# As the unit does it: its user, its folder, its command.
unit=/lib/systemd/system/nat64sim.service
install -d -o nat64sim -g nat64sim /run/nat64sim
read -ra command < <(sed -n 's/^ExecStart=//p' $unit)
setpriv --reuid nat64sim --regid nat64sim --init-groups --no-new-privs "${command[@]}" >/root/serve 2>&1 &
serving=$!
for _ in $(seq 100); do nat64sim status >/dev/null 2>&1 && break; sleep 0.1; done
expect "the unit's command serves" 0 "ready" nat64sim status
expect "a member of the group is its client" 0 "PASS" "${user[@]}" ipv6check --simulator unix:/run/nat64sim/attach.sock curl -fsS http://shop.test/
expect "a packet file can be had of it" 0 "" "${user[@]}" ipv6check -q --pcap /tmp/tester/d.pcap --simulator unix:/run/nat64sim/attach.sock curl -fsS -o /dev/null http://shop.test/
expect "which has packets" 0 "" test "$(stat -c %s /tmp/tester/d.pcap)" -gt 200
kill $serving
wait $serving 2>/dev/null
[ $failures = 0 ] || sed 's/^/          serve: /' /root/serve

cd /
expect "it is purged" 0 "Purging configuration files for ipv6check" dpkg --purge ipv6check
files >/root/after
expect "nothing is left of it" 0 "" diff /root/before /root/after
[ $failures = 0 ]
