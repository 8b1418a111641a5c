// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A host to run programs on: fresh user, network and mount namespaces, in which an ordinary user is root. It has a
/// loopback interface and no other; the addresses that it is known by are on that one.
struct Host {
    /// Addresses with prefix lengths, besides 127.0.0.1 and ::1.
    var addresses: [String] = []
    var hasIPv6Loopback = true
    var hosts = "127.0.0.1 localhost\n::1 localhost\n"
    var resolver = "nameserver ::1\n"
    /// A program that runs beside the client, such as a server, and is ended after it. It prints a line when it is ready.
    var companion: [String] = []
    /// Seconds after which a program is ended that should have ended by itself.
    var timeout = 120

    /// As on the network that this is all about: no IPv4 address but the loopback's.
    static let ipv6Only = Host(addresses: ["2e00:2:0:1::2/64"])
    static let ipv4Only = Host(addresses: ["192.0.2.77/24"], hasIPv6Loopback: false)
    static let dualStack = Host(addresses: ["2e00:2:0:1::2/64", "192.0.2.77/24"])

    static let isAvailable = (try? Host().run(["true"]).status) == 0
    static let requirement = "needs unshare, ip and user namespaces"

    /// The shell's preparations as the host's root before it becomes the client.
    private static let script = """
        set -e
        folder=$1; shift
        ip link set lo up
        [ "$IPV6_LOOPBACK" = yes ] || ip -6 addr flush dev lo
        for address in $ADDRESSES; do ip addr add "$address" dev lo nodad; done
        # The kernel takes packets for an IPv6 address some time after it has confirmed it: the route for that is made in
        # the background. Until then a connection to the address is told that the network cannot be reached.
        for address in $ADDRESSES; do
            for pause in $(seq 500); do
                case $(ip route get "${address%/*}" 2>&1) in local*) break ;; esac
                sleep 0.01
            done
        done
        mount --bind "$folder/hosts" /etc/hosts
        mount --bind "$folder/nsswitch.conf" /etc/nsswitch.conf
        mount --bind "$folder/resolv.conf" /etc/resolv.conf
        if [ -n "$COMPANION" ]; then
            mkfifo "$folder/ready"
            eval "exec $COMPANION" >"$folder/ready" 2>"$folder/companion" &
            companion=$!
            trap 'kill $companion 2>/dev/null || :' EXIT
            read -r line <"$folder/ready"
        fi
        set +e
        timeout "$TIMEOUT" env ${PRELOAD:+"LD_PRELOAD=$PRELOAD"} "$@"
        """

    /// Runs a program on the host, with these libraries preloaded into it alone.
    func run(
        _ command: [String], preload: [String] = [], environment: [String: String] = [:], input: String = ""
    ) throws -> ProgramEnd {
        let folder = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try hosts.write(to: folder.appending(path: "hosts"), atomically: false, encoding: .utf8)
        try resolver.write(to: folder.appending(path: "resolv.conf"), atomically: false, encoding: .utf8)
        try "hosts: files dns\nservices: files\n".write(
            to: folder.appending(path: "nsswitch.conf"), atomically: false, encoding: .utf8)

        var environment = environment
        environment["ADDRESSES"] = addresses.joined(separator: " ")
        environment["IPV6_LOOPBACK"] = hasIPv6Loopback ? "yes" : "no"
        environment["PRELOAD"] = preload.joined(separator: ":")
        environment["TIMEOUT"] = "\(timeout)"
        environment["COMPANION"] = companion.map { "'\($0)'" }.joined(separator: " ")
        let namespaces = ["/usr/bin/env", "unshare", "-Urnm", "/bin/sh", "-c", Host.script, "host", folder.path]
        return try SynthesisTests.run(namespaces + command, environment: environment, input: input)
    }
}
