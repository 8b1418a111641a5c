// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A client with a phone's kind of link: `--link ra`. Checked by the kernel's own state and third-party programs.
    @Suite struct `Router advertisements` {
        enum Simulator: String, CaseIterable, CustomTestStringConvertible {
            case own, daemon

            var testDescription: String { rawValue }
        }

        private static let look = """
            ip -6 -o address show dev eth0 | grep -o 'inet6 [^ ]* scope [a-z]*' | sort
            ip -6 route show default | grep -o 'default via [^ ]* dev [^ ]* proto [a-z]*'
            grep nameserver /etc/resolv.conf
            curl -fsS http://six.test/ip
            """

        private static func found(_ address: String, _ interface: String = "eth0") -> String {
            """
            inet6 2e00:2:0:1::\(address)/64 scope global
            inet6 fe80::\(address)/64 scope link
            default via fe80::1 dev \(interface) proto ra
            nameserver 2e00:2:0:1::1
            2e00:2:0:1::\(address)

            """
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `the kernel makes its address from them, and has its route`(user: User, simulator: Simulator) throws {
            let output: Output
            switch simulator {
            case .own:
                output = try run([Binaries.ipv6check, "--once", "--link", "ra", "sh", "-c", Self.look], as: user)
                #expect(output.standardError.contains("link ra"), Comment(rawValue: output.standardError))
            case .daemon:
                let daemon = try RunningDaemon("clients: { link: ra }\n", as: user)
                defer { daemon.end() }
                output = try run(
                    [
                        Binaries.ipv6check, "--once", "--simulator", "unix:\(daemon.folder.path)/attach.sock", "sh",
                        "-c",
                        Self.look,
                    ], as: user)
            }
            expectPass(output)
            #expect(output.text == Self.found("c0:100"), Comment(rawValue: output.text))
        }

        @Test(arguments: User.available)
        func `an interface has the name that is asked for`(user: User) throws {
            for (options, proto) in [([], "static"), (["--link", "ra"], "ra")] {
                let output = try run(
                    [Binaries.ipv6check, "--once", "--interface", "pdp_ip0"] + options + [
                        "sh", "-c",
                        "ip -6 -o address show scope global; ip -6 route show default; curl -fsS http://shop.test/ip",
                    ], as: user)
                expectPass(output)
                #expect(
                    output.text.contains(/2: pdp_ip0 +inet6 2e00:2:0:1::c0:100\/64/), Comment(rawValue: output.text))
                #expect(output.text.contains("dev pdp_ip0 proto \(proto)") && output.text.hasSuffix("192.0.2.64\n"))
            }
        }

        @Test(.enabled(if: getuid() == 0, "needs a raw socket"))
        func `rdisc6 reads what was asked for`() throws {
            let output = try ipv6check(
                "--once", "--link", "ra,managed,other,lifetime=20m,search=corp.test", "--mtu", "1400", "rdisc6", "-1",
                "eth0")
            expectPass(output)
            for line in [
                "Hop limit : 64", "Stateful address conf. : Yes", "Stateful other conf. : Yes",
                "Router lifetime : 1200",
                "MTU : 1400 bytes (valid)", "Prefix : 2e00:2:0:1::/64", "On-link : Yes",
                "Autonomous address conf.: Yes",
                "Valid time : 2592000", "Pref. time : 604800", "Recursive DNS server : 2e00:2:0:1::1",
                "DNS search list : corp.test", "from fe80::1",
            ] {
                let lines = output.text.split(separator: "\n").map {
                    $0.split(separator: " ").joined(separator: " ")
                }
                #expect(lines.contains { $0.hasPrefix(line) }, "\(line) in \(output.text)")
            }
        }

        @Test(.enabled(if: getuid() == 0, "needs a raw socket"))
        func `a network without DNS64 tells its prefix to who asks, whatever the link`() throws {
            let capture = Binaries.scratch.appending(path: "\(UUID().uuidString).pcap").path
            let output = try ipv6check(
                "--once", "--network", "nat64-no-dns64", "--pcap", capture, "rdisc6", "-1", "eth0")
            expectPass(output)
            let octets = try Data(contentsOf: URL(filePath: capture))
            // Type 38, length 2, 1800 s and a length of 96 bits, 64:ff9b::
            let option: [UInt8] = [38, 2, 0x07, 0x08, 0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8)
            #expect(octets.firstRange(of: Data(option)) != nil)
        }

        @Test(.enabled(if: getuid() == 0, "needs a network of its own to administer"))
        func `systemd-networkd configures the link by them`() throws {
            let output = try ipv6check(
                "--once", "--link", "ra,search=corp.test", "unshare", "--mount", "sh", "-ec",
                """
                mount -t tmpfs none /run; mount -o remount,ro,bind /sys
                mkdir -p /run/systemd/network /run/systemd/netif/links /run/systemd/netif/leases /run/systemd/netif/lldp
                chown -R systemd-network /run/systemd/netif
                cat > /run/systemd/network/10.network <<'END'
                [Match]
                Name=eth0
                [Network]
                IPv6AcceptRA=yes
                [IPv6AcceptRA]
                Token=static:::c0:100
                END
                SYSTEMD_LOG_LEVEL=debug /lib/systemd/systemd-networkd > /run/log 2>&1 &
                for i in $(seq 100); do
                    grep -q 'NDisc:yes' /run/log && break
                    sleep 0.1
                done
                kill $!
                grep -o 'Received Router Advertisement: .*' /run/log
                grep -o 'NDisc:yes' /run/log | head -1
                ip -6 -o address show scope global
                """)
            expectPass(output)
            #expect(
                output.text.contains("Received Router Advertisement: flags none preference medium lifetime 1800 sec"),
                Comment(rawValue: output.text))
            #expect(output.text.contains("NDisc:yes") && output.text.contains("2e00:2:0:1::c0:100/64"))
        }

        @Test(arguments: User.available, Simulator.allCases)
        func `a hand-over begins with an advertisement of the next network`(user: User, simulator: Simulator) throws {
            let client = [
                "--network", "dual-stack 1s, none 500ms, nat64", "--once", "sh", "-c",
                """
                seen=
                for i in $(seq 40); do
                    now=$(ip -6 -o address show scope global dynamic | grep -o '2e00[^ ]*'; ip -6 route show default | grep -o 'via fe80::1')
                    [ "$now" = "$seen" ] || echo ${now:-nothing}
                    seen=$now
                    sleep 0.1
                done
                curl -fsS http://shop.test/ip
                """,
            ]
            let output: Output
            switch simulator {
            case .own: output = try run([Binaries.ipv6check, "--link", "ra"] + client, as: user)
            case .daemon:
                let daemon = try RunningDaemon(as: user)
                defer { daemon.end() }
                output = try run(
                    [Binaries.ipv6check, "--simulator", "unix:\(daemon.folder.path)/attach.sock", "--link", "ra"]
                        + client,
                    as: user)
            }
            expectPass(output)
            let lines = output.text.split(separator: "\n").map(String.init)
            #expect(lines.first == "2e00:2:0:1::c0:200/64 via fe80::1", Comment(rawValue: output.text))
            #expect(lines.suffix(2) == ["2e00:2:0:1::c0:100/64 via fe80::1", "192.0.2.64"])
            #expect(lines.contains("nothing"))
        }

        @Test(arguments: [
            ["--link", "dhcp"], ["--link", "ra,lifetime=1s"], ["--interface", "lo"], ["--interface", "a/b"],
        ])
        func `what cannot be meant is refused`(options: [String]) throws {
            #expect(try run([Binaries.ipv6check] + options + ["true"]).status == 2)
        }

        /// The client owns its end of the link, with any simulator.
        @Test func `a router that is none gives no route, and the run goes on`() throws {
            let output = try ipv6check(
                "--once", "--link", "ra,lifetime=0", "sh", "-c",
                "ip -6 route show default; ip -6 -o address show scope global")
            expectPass(output)
            #expect(!output.text.contains("default") && output.text.contains("2e00:2:0:1::c0:100/64"))
        }
    }
}
