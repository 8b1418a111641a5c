# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: what the project needs from the system, and how it is got.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# A target imports what its entry in Package.swift names, and nothing else.
checked='--explicit-target-dependency-import-check error'

say() { printf '%s\n' "$*" >&2; }
die() {
    say "${0##*/}: $1"
    exit "${2:-2}"
}

# The packages, one a line with the reason that the user is told.
build_packages='
libdw-dev           stacks and lines of the client (loaded when it is needed: libdw1)
libexpat1-dev       XML, for the results of test runners
libmd-dev           digests: the hashed names of NSEC3, what results belong to
libnl-3-dev         netlink: links, addresses and routes of the simulated network
libnl-route-3-dev   netlink: links, addresses and routes of the simulated network
libyaml-dev         configuration and world files
'
test_packages='
bind9-dnsutils      dig and delv, clients under test
binutils            looks into the executables under test
bsdutils            script, a terminal for a report to be read on
chromium            a browser under test
chromium-driver     drives it, as Selenium does
curl                a client under test
erlang-base         escript, a client under test
file                tells what kind of executable a test built
firefox-esr         a browser under test
g++                 builds a C++ client under test
gcc                 builds the small C clients under test
git                 a client under test
golang-go           checks the Go code on the pages of the rules
hey                 a client under test, written in Go
iproute2            ip, for the tests of namespaces
iputils-ping        ping, a client under test
libc6-dev           builds the small C clients under test
libcap2-bin         setpriv and friends, for the tests as an ordinary user
junit4              a test runner under test
knot-dnsutils       kdig, a client under test: DNS over TLS
ldnsutils           drill, a client under test
libpcap0.8          reads packet files
libcurl4-openssl-dev builds a client under test, with libcurl
libc-ares-dev       builds a client under test, with a resolver of its own
libjemalloc2        preloaded beside our own library
libssl-dev          builds a client under test, with OpenSSL
libunbound8         validates, where the configuration wants that
lua5.4              a client under test
lua-socket          its sockets
libxml2-utils       xmllint reads our JUnit XML
mtr-tiny            mtr, a client under test
musl-tools          builds our preloaded library, and a client, for the other C library
ndisc6              rdisc6, which reads our router advertisements
netcat-openbsd      nc, a client under test
nghttp2-client      nghttp and h2load, clients under test
nftables            nft, for the uplink to the network of the host
nodejs              a client under test
openssh-client      ssh, a client under test
openssh-server      sshd, a server of a world under test
openssl             checks the test CA
passt               pasta, the uplink of an ordinary user
perl                prove reads our TAP
php-cli             a client under test
postgresql          a server of a world under test, and psql, a client
procps              ps, for the tests that nothing is left behind
proxychains4        preloaded beside our own library
python3             a client under test
python3-dnspython   a client under test
python3-h2          HTTP/2 for httpx
python3-httpx       a client under test
python3-jsonschema  reads our SARIF and Code Quality by their schemas
python3-pip         gets what Debian has no package of
python3-pytest      the tests of a sample project
python3-tap         reads our TAP
python3-yaml        finds the shell in the files of docs/ci.md
ruby                a client under test
strace              shows what the preloaded library tells a tracer
systemd             systemd-networkd, which configures links by them
tcl                 a client under test
tcpdump             reads our packet files
strace              a client under test that is a tracer itself
traceroute          a client under test
util-linux          unshare and setpriv
valgrind            watches our preloaded library
wget                a client under test
'
gate_packages='
ccache              compiles C once for two builds
'
package_packages='
dpkg-dev            finds the packages that the programs need (dpkg-shlibdeps)
python3             makes the manual and the list of components
xz-utils            compresses the package
'
container_packages='
iproute2            ip, for the test that nothing is left behind
iptables            gives containers their networks
musl-tools          builds static clients, which run in any container
python3-pip         gets testcontainers
python3-pytest      runs tests of Nat64Container
'

require_swift() {
    command -v swift >/dev/null || die "no Swift toolchain found; install Swift 6.3 from https://www.swift.org/install/linux/"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    # No other: CLinux/clinux_tasks.h declares a part of the runtime as this version has it.
    [ "$version" = 6.3 ] || die "Swift 6.3 is needed, and this is ${version:-unknown}; see https://www.swift.org/install/linux/"
}

# require_packages LIST: installs what is missing of it with apt, after saying what and why.
require_packages() {
    local missing=() name why
    while read -r name why; do
        [ -n "$name" ] || continue
        if ! dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed; then
            missing+=("$name")
            [ ${#missing[@]} -gt 1 ] || say "These packages are missing and will be installed with apt:"
            say "  $(printf '%-18s' "$name") $why"
        fi
    done <<<"$1"
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "this machine has no apt; install what corresponds to: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "no sudo here; as root, run: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    # Another script may be at it. apt waits for the lock of packages, and not for that of the lists of packages.
    "${as_root[@]}" flock /run/lock/ipv6check-packages env DEBIAN_FRONTEND=noninteractive bash -c '
        apt-get update -qq && apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@"' apt "${missing[@]}" >&2 \
        || die "apt could not install them; see its message above"
}

# find_unpacked: what fetch_unpacked has put there is found.
find_unpacked() {
    local folder=$root/.build/unpacked
    export PATH=$PATH:/usr/sbin:/sbin:$folder/usr/sbin:$folder/usr/bin
    export LD_LIBRARY_PATH=$folder/usr/lib/$(uname -m)-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# fetch_unpacked PROGRAM PACKAGE: where PROGRAM is missing, unpacks PACKAGE and what it needs, and does not install it: an
# installed server would be started, and go on serving the machine.
fetch_unpacked() {
    local folder=$root/.build/unpacked
    find_unpacked
    ! command -v "$1" >/dev/null || return 0
    say "Unpacking the package $2 in $folder …"
    mkdir -p "$folder/archives/partial"
    apt-get install -qq --download-only --no-install-recommends -o Debug::NoLocking=1 \
        -o Dir::Cache::archives="$folder/archives" "$2" >&2 || die "$2 could not be had; see apt's message above"
    for archive in "$folder"/archives/*.deb; do dpkg-deb --extract "$archive" "$folder"; done
    command -v "$1" >/dev/null || die "$2 has no $1"
}

# fetch_python PACKAGE==VERSION [OPTION…]: has a package of PyPI's in .build/python, which PYTHONPATH can name; the options are pip's.
fetch_python() {
    local folder=$root/.build/python name=${1%%==*}
    [ ! -d "$folder/${name//-/_}" ] || return 0
    say "Getting $1 from PyPI …"
    python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --target "$folder" "$@" >&2 \
        || die "$1 could not be had from PyPI; see pip's message above"
}

# build_shim: builds the preloaded library for literal synthesis, with the compiler of the Swift toolchain where there is no
# other. Where it cannot be built, ipv6check says so and goes on without.
build_shim() {
    local compiler
    compiler=$(command -v cc || command -v clang || true)
    [ -n "$compiler" ] || compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
    CC=$compiler "$root/scripts/build-shim" || say "Literal synthesis is not available: see above."
}

# The output of scripts/start-order.
start_order=$root/.build/start-order.txt

# build_release PROGRAM: builds ipv6check, nat64sim or Bench if it is not newer than every source, and leaves its path in $built.
build_release() {
    # ipv6check and nat64sim are one executable, which acts by the name that it is called by.
    local product=${1/nat64sim/ipv6check} order=()
    local executable=$root/.build/release/$product
    built=$root/.build/release/$1
    [ ! -e "$start_order" ] || order=("$start_order")
    if [ -x "$executable" ] && [ -z "$(find "$root/Package.swift" "$root/Sources" "${order[@]}" -newer "$executable" -print -quit)" ]; then
        [ -e "$root/.build/shim/libipv6synth.so" ] || build_shim
        return 0
    fi
    require_swift
    require_packages "$build_packages"
    say "Building $product (once; the first time takes some minutes) …"
    # SwiftPM does not know that the executable depends on it.
    [ ! "$start_order" -nt "$executable" ] || rm -f "$executable"
    # A folder in which the linker finds libstdc++ as an archive, before the shared one; empty where there is no archive, which
    # scripts/package does not accept.
    local archives=$root/.build/archives archive
    archive=$("$(command -v c++ || command -v clang++ || echo "$(dirname "$(readlink -f "$(command -v swift)")")/clang++")" -print-file-name=libstdc++.a)
    mkdir -p "$archives"
    rm -f "$archives/libstdc++.a"
    # A compiler that has none says the bare name.
    if [ "${archive:0:1}" = / ] && [ -e "$archive" ]; then ln -s "$archive" "$archives/libstdc++.a"; fi
    # Where scripts/start-order was run, as for a release, the linker puts what a run calls beside each other, if it is gold, which knows how.
    local ordered=()
    if [ -e "$start_order" ]; then
        echo > "$archives/empty.swift"
        if swiftc "$archives/empty.swift" -o "$archives/empty" -Xlinker --section-ordering-file -Xlinker "$start_order" 2>/dev/null; then
            ordered=(-Xlinker --section-ordering-file -Xlinker "$start_order")
        fi
    fi
    # The executable stands alone: no Swift installation is needed to run it, and it starts in a few milliseconds. The linker leaves out
    # unused code, function by function. A type such as Dictionary<Name, Record> comes from its accessor and not by its name, for which
    # the runtime would look through all conformances of the executable (docs/benchmarks.md). Debug information takes the compilers a tenth of
    # the time, and scripts/install strips it.
    swift build --package-path "$root" $checked -c release -debug-info-format none --static-swift-stdlib --product "$product" \
        -Xswiftc -L -Xswiftc "$archives" -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections \
        -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "${ordered[@]}" >&2 \
        || die "the build failed; see above"
    build_shim
    touch "$executable"
    [ "$product" != ipv6check ] || ln -sf ipv6check "$root/.build/release/nat64sim"
}
