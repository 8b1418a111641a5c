// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The same clients under every prefix length of RFC 6052 §2.2.
    @Suite struct PrefixTests {
        @Test(arguments: [
            ("2001:db8:64::/96", "2001:db8:64::c633:640a"),
            ("2001:db8:64::/64", "2001:db8:64:0:c6:3364:a00:0"),
            ("2001:db8:64::/56", "2001:db8:64:c6:33:640a::"),
            ("2001:db8:64::/48", "2001:db8:64:c633:64:a00::"),
            ("2001:db8:6400::/40", "2001:db8:64c6:3364:a::"),
            ("2001:db8::/32", "2001:db8:c633:640a::"),
        ])
        func `every prefix length works end to end`(_ prefix: String, _ synthesised: String) throws {
            let address = try ipv6check("--prefix", prefix, "dig", "+short", "AAAA", "shop.test")
            #expect(address.text == synthesised + "\n")
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "http://shop.test/"))
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "https://shop.test/"))
            expectPass(try ipv6check("--prefix", prefix, "ping", "-c", "1", "shop.test"))
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "http://six.test/"))
        }

        /// The daemon's prefix and the client's network change: synthesis follows at once, without waiting for the TTL to expire.
        @Test(arguments: User.available) func `literals of a running client follow its network's prefix`(user: User)
            throws
        {
            let daemon = try RunningDaemon(as: user)
            defer { daemon.end() }
            let client = """
                import socket, sys
                for line in sys.stdin:
                    try: print(socket.getaddrinfo("198.51.100.10", 80, socket.AF_INET6, socket.SOCK_STREAM)[0][4][0], flush=True)
                    except OSError: print("none", flush=True)
                """
            let output = try run(
                [
                    "sh", "-c",
                    """
                    control="$1" check="$2" sockets="$3" client="$4"
                    mkfifo "$sockets/asked" "$sockets/told"
                    "$check" --once --getaddrinfo apple --simulator "unix:$sockets/attach.sock" python3 -c "$client" \
                        <"$sockets/asked" >"$sockets/told" 2>"$sockets/report" &
                    exec 8>"$sockets/asked" 9<"$sockets/told"
                    ask() { echo >&8; read -r answer <&9; echo "$answer"; }
                    # The client is told of a prefix a little after the daemon has it.
                    until_told() {
                        for _ in $(seq 200); do [ "$(ask)" = "$1" ] && break; sleep 0.05; done
                        ask
                    }
                    "$control" prefix --socket "$sockets/control.sock" 2001:db8:1::/96 >&2
                    until_told 2001:db8:1::c633:640a
                    "$control" prefix --socket "$sockets/control.sock" 2001:db8:64::/64 >&2
                    until_told 2001:db8:64:0:c6:3364:a00:0
                    "$control" network --socket "$sockets/control.sock" 1 strict >&2
                    ask
                    "$control" prefix --socket "$sockets/control.sock" 2001:db8:2::/96 >&2
                    "$control" network --socket "$sockets/control.sock" 1 nat64 >&2
                    ask
                    "$control" prefix --socket "$sockets/control.sock" 2001:db8:3::/96 >&2
                    until_told 2001:db8:3::c633:640a
                    exec 8>&-
                    wait
                    """, "sh", Binaries.nat64sim, Binaries.ipv6check, daemon.folder.path, client,
                ], as: user)
            #expect(
                output.text == """
                    2001:db8:1::c633:640a
                    2001:db8:64:0:c6:3364:a00:0
                    none
                    2001:db8:2::c633:640a
                    2001:db8:3::c633:640a

                    """, output.told)
        }

        /// Options, files and the API share one check.
        @Test(arguments: ["ff00::/96", "fe80::/96", "::/96", "::ffff:0:0/96"])
        func `A prefix that no network can have is refused wherever it is given`(_ prefix: String) throws {
            let sentence = " cannot be a Pref64: "
            func expectRefusal(_ output: Output, sourceLocation: SourceLocation = #_sourceLocation) {
                #expect(output.status == 2, sourceLocation: sourceLocation)
                #expect(
                    output.standardError.contains(sentence), Comment(rawValue: output.standardError),
                    sourceLocation: sourceLocation)
            }
            expectRefusal(try ipv6check("--prefix", prefix, "true"))
            expectRefusal(try ipv6check("resolve", "--prefix", prefix, "192.0.2.1"))
            expectRefusal(try run([Binaries.nat64sim, "serve", "--prefix", prefix]))
            let file = Binaries.scratch.appending(path: "unusable.yaml")
            try Data("version: 1\nprefix: \"\(prefix)\"\n".utf8).write(to: file)
            expectRefusal(try run([Binaries.nat64sim, "check-config", file.path]))
            try Data("version: 1\nnat64: { prefixes: [\"\(prefix)\"] }\n".utf8).write(to: file)
            expectRefusal(
                try run([Binaries.nat64sim, "translate", "--config", file.path, "/nonexistent", "/dev/null"]))
            try Data("version: 1\ndns64: { clauses: \"\(prefix)\" }\n".utf8).write(to: file)
            expectRefusal(try ipv6check("--world", file.path, "true"))
            let daemon = try RunningDaemon()
            #expect(try daemon.control("PUT", "/v1/prefix", #"{"pref64":"\#(prefix)"}"#).contains(sentence))
        }

        @Test(arguments: [
            "2001:db8:64::/95", "64:ff9b::", "64:ff9b::/", "nonsense", "2001:db8:64::1/96", "10.0.0.0/8", "2e00:2::/32",
        ])
        func `a prefix of another length is refused`(_ prefix: String) throws {
            let output = try ipv6check("--prefix", prefix, "true")
            #expect(output.status == 2)
            #expect(output.standardError.split(separator: "\n").count == 1, "one line, and no stack trace")
        }
    }
}
