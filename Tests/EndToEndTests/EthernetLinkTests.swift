// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Links without /dev/net/tun: the device is hidden in a mount namespace of the command.
    @Suite struct EthernetLinkTests {
        private static let note = "A veth pair stands in for a TUN: "

        /// The prefix of a command that runs without the device. An ordinary user needs a user namespace for that, and is root in it.
        private static func hiding(_ user: User) -> [String] {
            let unshare = getuid() == 0 ? ["unshare", "--mount"] : ["unshare", "--map-root-user", "--mount"]
            let script = #"[ ! -e /dev/net ] || mount -t tmpfs none /dev/net; exec "$@""#
            return unshare + ["sh", "-ec", script, "sh"] + user.prefix
        }

        private func check(
            _ arguments: String..., as user: User, seconds: Int = 60, source: SourceLocation = #_sourceLocation
        ) throws -> Output {
            let output = try run(Self.hiding(user) + [Binaries.ipv6check] + arguments, seconds: seconds)
            #expect(output.standardError.contains(Self.note), "the link is a TUN", sourceLocation: source)
            return output
        }

        @Test(arguments: User.available) func `a page comes by its name and by a literal`(_ user: User) throws {
            let page = try check("curl", "-fsS", "http://shop.test/", as: user)
            expectPass(page)
            #expect(page.text.contains("reached:   shop.test"))
            expectPass(try check("curl", "-fsSg", "http://[64:ff9b::198.51.100.10]/", as: user))
        }

        /// The client runs three times, the last time on dual-stack, where it uses IPv4.
        @Test(arguments: User.available) func `an IPv4 literal fails, and works on dual-stack`(_ user: User) throws {
            let output = try check(
                "--getaddrinfo", "linux", "bash", "-c", "exec 3<>/dev/tcp/198.51.100.10/80", as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-001"))
        }

        @Test(arguments: User.available) func `the router's advertisements give the client its address`(_ user: User)
            throws
        {
            let output = try check(
                "--link", "ra", "sh", "-c", "ip -6 route show default; curl -fsS http://six.test/ip", as: user)
            expectPass(output)
            #expect(output.text.contains("default via fe80::1") && output.text.hasSuffix("2e00:2:0:1::c0:100\n"))
        }

        @Test(arguments: User.available) func `ping counts its replies`(_ user: User) throws {
            let output = try check("ping", "-c", "3", "-i", "0.2", "shop.test", as: user)
            expectPass(output)
            #expect(output.text.contains("3 received"))
        }

        @Test(arguments: User.available) func `a datagram comes back in fragments, and a train of them whole`(
            _ user: User
        ) throws {
            let client = """
                import socket
                u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                u.settimeout(5)
                u.connect(("64:ff9b::198.51.100.7", 7))
                u.send(bytes(4000))
                print(len(u.recv(65536)))
                # UDP_SEGMENT
                u.setsockopt(socket.IPPROTO_UDP, 103, 1000)
                u.send(bytes(9500))
                print([len(u.recv(65536)) for _ in range(10)])
                """
            let output = try check("python3", "-c", client, as: user)
            expectPass(output)
            #expect(output.text == "4000\n[1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 500]\n")
        }

        @Test(arguments: User.available, [["--mtu", "1500"], ["--mtu", "9000", "--world-mtu", "1280"]])
        func `twenty megabytes arrive as they were sent, there and back`(_ user: User, _ options: [String]) throws {
            let octets = 20_000_000
            let file = Binaries.scratch.appending(path: "ethernet-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data((0..<octets).map { UInt8($0 % 251) }).write(to: file)
            let expected = try run(["sha256sum", file.path]).text.prefix(64)
            let client = """
                curl -fsS http://shop.test/bytes/\(octets) | sha256sum
                curl -fsS -T '\(file.path)' http://shop.test/echo | sha256sum
                """
            let output = try run(Self.hiding(user) + [Binaries.ipv6check] + options + ["sh", "-c", client])
            expectPass(output)
            #expect(output.text.split(separator: "\n").map { $0.prefix(64) } == [expected, expected])
        }

        @Test(arguments: User.available) func `the client sees one interface, and it is running`(_ user: User) throws {
            let output = try check("sh", "-c", "ls /sys/class/net; cat /sys/class/net/eth0/operstate", as: user)
            #expect(output.text == "eth0\nlo\nup\n")
        }

        /// As over a TUN, which has no link layer.
        @Test func `a capture has the client's packets, and no questions for neighbours`() throws {
            let file = Binaries.scratch.appending(path: "ethernet-\(UUID().uuidString).pcap")
            defer { try? FileManager.default.removeItem(at: file) }
            expectPass(
                try check("--pcap", file.path, "curl", "-fsS", "http://shop.test/", as: .available[0]))
            let listing = try run(["tcpdump", "-nr", file.path])
            #expect(listing.text.contains("2e00:2:0:1::c0:100"), Comment(rawValue: listing.standardError))
            #expect(!listing.text.contains("neighbor solicitation") && !listing.text.contains("ARP"))
        }

        @Test(needsRoot) func `a client that deletes its link is told so`() throws {
            let output = try check("sh", "-c", "ip link delete eth0; sleep 0.2; exit 1", as: .root)
            #expect(
                output.standardError.contains("The client deleted its link (eth0)"),
                Comment(rawValue: output.standardError))
        }

        @Test(arguments: User.available) func `the doctor says which link there is, and why`(_ user: User) throws {
            let output = try run(Self.hiding(user) + [Binaries.ipv6check, "doctor"])
            #expect(output.status == 0, Comment(rawValue: output.text))
            #expect(
                output.text.contains("note     link              veth pair with a packet socket, as /dev/net/tun is "))
        }

        @Test(needsTUN, arguments: User.available) func `with the device the doctor says that it is a TUN`(_ user: User)
            throws
        {
            let usual = try ipv6check("doctor", as: user)
            #expect(usual.text.contains("ok       link              TUN: /dev/net/tun can be opened"))
        }

        /// The name of an uplink's interface identifies its owner, so an unfinished one is not taken for another simulator's.
        @Test(needsRoot) func `without the right to packet sockets it is named, and not a simulator that is not there`()
            throws
        {
            let network = ["unshare", "--net", "--map-root-user", "--mount"]
            let script = #"""
                mount -t tmpfs none /dev/net
                ip link add way type veth peer name far; ip link set way up
                exec setpriv --bounding-set=-net_raw "$@"
                """#
            let output = try run(
                network + [
                    "sh", "-ec", script, "sh", Binaries.ipv6check, "--uplink", "host", "--allow", "8.8.8.8", "true",
                ])
            #expect(output.status == 5)
            #expect(
                output.standardError.contains("and a packet socket needs CAP_NET_RAW"),
                Comment(rawValue: output.standardError))
        }

        @Test(arguments: User.available) func `a daemon without a TUN serves, and its log says so`(_ user: User) throws
        {
            let folder = Binaries.scratch.appending(path: "e\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let script = """
                cd '\(folder.path)'
                '\(Binaries.nat64sim)' serve --sockets . >log 2>&1 &
                trap 'kill $!; wait' EXIT
                until grep -q ' ready ' log; do sleep 0.1; done
                '\(Binaries.ipv6check)' --simulator unix:attach.sock curl -fsS http://shop.test/
                grep -o "veth pairs stand in for the TUNs of the world's links" log
                """
            let output = try run(Self.hiding(user) + ["sh", "-c", script])
            expectPass(output)
            #expect(output.text.contains("reached:   shop.test"))
            #expect(output.text.hasSuffix("veth pairs stand in for the TUNs of the world's links\n"))
        }

        /// Each side makes its own kind of link, and a daemon accepts both.
        @Test(arguments: User.available) func `a client without a TUN attaches to a daemon with one`(_ user: User)
            throws
        {
            let daemon = try RunningDaemon(as: user)
            let socket = "unix:\(daemon.folder.path)/attach.sock"
            expectPass(try check("--simulator", socket, "curl", "-fsS", "http://shop.test/", as: user))
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/", as: user))
        }
    }
}
