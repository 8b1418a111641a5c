// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

extension EndToEnd {
    /// `nat64sim serve --lan`: devices on a bridge of the host that configure their own addresses.
    @Suite(.serialized, needsRoot) struct Devices {
        @Test func `a device makes an address and reaches servers with IPv4 alone`() throws {
            let lab = try DeviceLab(isForwarding: true)
            let daemon = try RunningGateway(for: lab, "--uplink", "host")
            #expect(daemon.isReady, daemon.told)
            for device in 0..<2 {
                try lab.switchOn(device)
                #expect(try lab.reaches("server.example", from: device), daemon.told)
            }
            #expect(try lab.at(0, "ip -6 route show default").text.hasPrefix("default via fe80::1 dev eth0"))
            #expect(try lab.at(0, "ping -c 1 -W 2 server.example").status == 0)
            #expect(try lab.at(1, "dig +short AAAA server.example").text == "64:ff9b::808:404\n")
            #expect(try lab.at(1, "traceroute -6 -n -q 1 -w 2 server.example").text.contains(" 2e00:2:0:1::1 "))
            // Neighbours reach each other by link-local addresses, and the router forwards nothing between them.
            let other = try #require(try lab.addresses(of: 1).first)
            #expect(try lab.at(0, "ping -c 1 -W 1 \(other)").status != 0)
            let found = try daemon.ask("clients", "--json").text
            for device in 0..<2 { #expect(found.contains(DeviceLab.mac(device)), Comment(rawValue: found)) }
            #expect(found.contains(other) && found.contains("server.example"), Comment(rawValue: found))
        }

        @Test func `a large transfer, fragments and a smaller MTU on the way get through`() throws {
            let lab = try DeviceLab(devices: 1)
            let daemon = try RunningGateway(for: lab, "--uplink", "host")
            try lab.switchOn(0)
            try lab.expectTransfers(daemon.told)
        }

        @Test func `the tools of ndisc6 see the router as the RFCs have it`() throws {
            let lab = try DeviceLab(devices: 1)
            let daemon = try RunningGateway(for: lab)
            try lab.switchOn(0)
            let advertised = try lab.at(0, "rdisc6 -1 eth0").text
            for line in [
                "Router lifetime           :         1800 ", "Source link-layer address: ",
                "On-link                 :           No",
                "Autonomous address conf.:          Yes", "Recursive DNS server     : 2e00:2:0:1::1", "from fe80::1",
            ] { #expect(advertised.contains(line), Comment(rawValue: advertised)) }
            let mac = try lab.at(0, "ndisc6 -1 -q fe80::1 eth0").text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(mac.count == 17 && advertised.contains(mac.uppercased()), Comment(rawValue: mac))
            #expect(try lab.at(0, "ndisc6 -1 -q 2e00:2:0:1::1 eth0").text.contains(mac), daemon.told)
            #expect(try lab.at(0, "ndisc6 -1 -q -r 1 -w 500 fe80::2 eth0").status != 0)
            // PREF64, of 64:ff9b::/96 for 1800 s (RFC 8781 §4)
            let reader = """
                import os, socket
                s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58); s.settimeout(5)
                os.system("rdisc6 -1 -q eth0 >/dev/null &")
                m = s.recv(2000)
                while m[0] != 134: m = s.recv(2000)
                at = 16
                while at < len(m):
                    if m[at] == 38: print(m[at:at + 16].hex())
                    at += 8 * m[at + 1]
                """
            let program = daemon.folder.appending(path: "pref64.py")
            try reader.write(to: program, atomically: true, encoding: .utf8)
            #expect(try lab.at(0, "python3 \(program.path)").text == "260207080064ff9b0000000000000000\n", daemon.told)
        }

        @Test func `a device that was there before is served when the router comes`() throws {
            let lab = try DeviceLab(devices: 1)
            _ = try lab.at(0, "ip link set eth0 up")
            _ = try lab.at(0, "sysctl -qw net.ipv6.conf.eth0.router_solicitations=0")
            sleep(2)
            let daemon = try RunningGateway(for: lab)
            try lab.awaitAddress(of: 0)
            #expect(try lab.at(0, "ping -c 1 -W 2 2e00:2:0:1::1").status == 0, daemon.told)
        }

        @Test func `a device is moved from network to network, and to none, while it runs`() throws {
            let lab = try DeviceLab(devices: 1)
            let daemon = try RunningGateway(for: lab)
            try lab.switchOn(0)
            let first = try lab.addresses(of: 0)
            #expect(try lab.reaches("shop.test"), daemon.told)

            #expect(try daemon.ask("network", "1", "strict").status == 0)
            try eventually("another address") { try lab.addresses(of: 0) != first && !lab.addresses(of: 0).isEmpty }
            #expect(try !lab.reaches("shop.test"))
            #expect(try lab.at(0, "dig +short AAAA shop.test").text.isEmpty)

            #expect(try daemon.ask("network", "1", "none").status == 0)
            try eventually("no router") { try lab.at(0, "ip -6 route show default").text.isEmpty }
            #expect(try daemon.ask("network", "1", "nat64").status == 0)
            try eventually("the first address") { try lab.addresses(of: 0) == first }
            #expect(try lab.reaches("shop.test"), daemon.told)

            #expect(
                try daemon.ask("network", "1", "nat64", "--link", "ra,no-rdnss", "--conditions", "delay=50ms").status
                    == 0)
            let time = try lab.at(0, "ping -q -c 2 -W 2 64:ff9b::c633:640a").text
            #expect(time.split(separator: "/").dropFirst(4).first.flatMap { Double($0) } ?? 0 > 50, "\(time)")
            #expect(try !lab.at(0, "rdisc6 -1 eth0").text.contains("Recursive DNS"))
            let wrong = try daemon.ask("network", "1", "nat64", "--conditions", "5G")
            #expect(wrong.status == 1 && wrong.standardError.contains("5G"), "\(wrong.standardError)")

            let refused = try daemon.ask("network", "1", "nat64+clat")
            #expect(
                refused.status == 1 && refused.standardError.contains("a CLAT is the device's own"),
                Comment(rawValue: refused.standardError))
        }

        @Test func `a device that comes back to a router started anew leaves the addresses that are another's now`()
            throws
        {
            let lab = try DeviceLab()
            let first = try RunningGateway(for: lab)
            try lab.switchOn(0)
            let before = try lab.addresses(of: 0)
            first.end()
            try lab.host("ip link set lan0 nomaster")
            let daemon = try RunningGateway(for: lab)
            try lab.switchOn(1)
            #expect(try lab.addresses(of: 1)[0].hasPrefix("2e00:2:1::"), daemon.told)
            try lab.host("ip link set lan0 master lan")
            try eventually("a way") { try lab.reaches("shop.test") }
            #expect(try lab.addresses(of: 0) != before, daemon.told)
        }

        @Test func `devices are served again when the interface was down`() throws {
            let lab = try DeviceLab(devices: 1)
            let daemon = try RunningGateway(for: lab)
            try lab.switchOn(0)
            #expect(try lab.reaches("shop.test"), daemon.told)
            // As when hostapd is restarted.
            try lab.host("ip link set lan down", "sleep 1", "ip link set lan up")
            try eventually("a way") { try lab.reaches("shop.test") }
            #expect(daemon.log.contains("the LAN's interface is down"), daemon.told)
        }

        @Test func `a file says which device has which network, name and link`() throws {
            let lab = try DeviceLab()
            let file = Binaries.scratch.appending(path: "lan\(UUID().uuidString.prefix(8)).yaml")
            try """
            version: 1
            lan:
              interface: \(DeviceLab.interface)
              network: strict
              devices:
                - { mac: "\(DeviceLab.mac(0))", name: phone, network: nat64, link: "ra,no-rdnss", conditions: [delay=60ms] }
            """.write(to: file, atomically: true, encoding: .utf8)
            let daemon = try RunningGateway(for: lab, "--config", file.path)
            for device in 0..<2 { try lab.switchOn(device) }
            #expect(try lab.reaches("shop.test") && !lab.reaches("shop.test", from: 1), daemon.told)
            #expect(try !lab.at(0, "rdisc6 -1 eth0").text.contains("Recursive DNS"))
            let time = try lab.at(0, "ping -q -c 2 -W 2 64:ff9b::c633:640a").text
            let mean = try #require(
                time.split(separator: "/").dropFirst(4).first.flatMap { Double($0) }, Comment(rawValue: time))
            #expect(mean > 60)
            let table = try daemon.ask("clients").text
            #expect(table.contains("nat64    \(DeviceLab.mac(0)) (phone)"), Comment(rawValue: table))
            #expect(table.contains("strict   \(DeviceLab.mac(1))"), Comment(rawValue: table))
        }

        /// A hostile device: storms of neighbour discovery, another device's addresses, Ethernet addresses by the thousand, and
        /// router advertisements of its own.
        private static let hostile = """
            import os, socket, struct, sys, time
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); s.bind(("eth0", 0))
            own, victim = bytes.fromhex(sys.argv[1].replace(":", "")), socket.inet_pton(socket.AF_INET6, sys.argv[2])
            router = bytes.fromhex(sys.argv[3].replace(":", ""))
            def address(text): return socket.inet_pton(socket.AF_INET6, text)
            def frame(source, destination, ip, to, message, mac=None, hop=255):
                data = ip + to + struct.pack("!II", len(message), 58) + message
                total = sum(struct.unpack(f"!{len(data) // 2}H", data))
                while total >> 16: total = (total & 0xffff) + (total >> 16)
                message = message[:2] + struct.pack("!H", ~total & 0xffff) + message[4:]
                return destination + (mac or own) + b"\\x86\\xdd" + struct.pack("!IHBB", 6 << 28, len(message), 58, hop) + ip + to + message
            hosts, routers = bytes.fromhex("333300000001"), bytes.fromhex("333300000002")
            end = time.time() + float(sys.argv[4])
            n = 0
            while time.time() < end:
                n += 1
                try:
                    mac = b"\\x02" + os.urandom(5)
                    s.send(frame(own, hosts, address("fe80::bad"), address("ff02::1"), struct.pack("!BBHI", 136, 0, 0, 0xa0000000) + address("fe80::1") + b"\\2\\1" + own))
                    s.send(frame(own, hosts, address("fe80::bad"), address("ff02::1"), struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, 0, 0, 0)))
                    s.send(frame(own, routers, address("fe80::bad"), address("ff02::2"), struct.pack("!BBHI", 133, 0, 0, 0), mac))
                    s.send(frame(own, router, victim, address("64:ff9b::c633:640a"), struct.pack("!BBHHH", 128, 0, 0, 1, n & 0xffff) + bytes(40)))
                    mine = address(sys.argv[5] + "::")[:8] + struct.pack("!Q", n % 10000 + 1)
                    s.send(frame(own, router, mine, address("64:ff9b::c633:640a"), struct.pack("!BBHHH", 128, 0, 0, 1, n & 0xffff) + bytes(40)))
                    s.send(frame(own, routers, mine, address("ff02::1:ff00:1"), struct.pack("!BBHI", 135, 0, 0, 0) + address("fe80::1") + b"\\1\\1" + own))
                    s.send(os.urandom(60))
                except OSError: time.sleep(0.001)
            """

        @Test func `a device that means ill keeps no other from being served`() throws {
            let lab = try DeviceLab(devices: 3, isForwarding: true)
            // The access point decides if packets between devices are passed on.
            for device in 0..<3 { try lab.host("ip link set lan\(device) type bridge_slave isolated on") }
            let daemon = try RunningGateway(for: lab)
            for device in 0..<2 { try lab.switchOn(device) }
            let victim = try #require(try lab.addresses(of: 0).first)
            let own = try #require(try lab.addresses(of: 1).first)
            let router = try lab.at(0, "ndisc6 -1 -q fe80::1 eth0").text.trimmingCharacters(in: .whitespacesAndNewlines)
            let program = daemon.folder.appending(path: "hostile.py")
            try Self.hostile.write(to: program, atomically: true, encoding: .utf8)
            let prefix = own.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":")
            let flood = try lab.start(1, "python3", program.path, DeviceLab.mac(1), victim, router, "8", prefix)
            defer { flood.endAtOnce() }
            sleep(2)
            for _ in 0..<10 { #expect(try lab.reaches("[64:ff9b::c633:640a]"), daemon.told) }
            flood.waitUntilExit()
            #expect(daemon.log.contains("\(DeviceLab.mac(1)) advertises itself as a router (fe80::bad)"), daemon.told)
            #expect(daemon.log.contains("\(DeviceLab.mac(1)) says that the router's own address is its"), daemon.told)
            let found = try daemon.ask("clients", "--json")
            let clients = try JSONSerialization.jsonObject(with: Data(found.text.utf8)) as? [String: Any]
            let items = try #require(clients?["items"] as? [[String: Any]])
            func device(_ number: Int) -> [String: Any]? {
                items.first { ($0["device"] as? [String: Any])?["mac"] as? String == DeviceLab.mac(number) }
            }
            // Packets sent with the victim's address are not counted as its own.
            #expect((device(0)?["drops"] as? [Any])?.isEmpty == true, Comment(rawValue: "\(device(0) ?? [:])"))
            #expect(items.count <= 32)
            // A new device still gets a slot, as the made-up devices have shown no address.
            sleep(10)
            try lab.switchOn(2)
            #expect(try lab.reaches("[64:ff9b::c633:640a]", from: 2), daemon.told)
        }

        @Test func `a device finds in a world of its own what telephones look for`() throws {
            let lab = try DeviceLab(devices: 1)
            let world = Binaries.root.appending(path: "fixtures/worlds/phones.yaml").path
            let daemon = try RunningGateway(for: lab, "--world", world)
            try lab.switchOn(0)
            for (url, words) in [
                ("captive.apple.com/hotspot-detect.html", "<BODY>Success</BODY>"),
                ("connectivitycheck.gstatic.com/generate_204", "204"),
                ("www.msftconnecttest.com/connecttest.txt", "Microsoft Connect Test200"),
                ("nmcheck.gnome.org/check_network_status.txt", "NetworkManager is online"),
            ] {
                let said = try lab.at(0, "curl -s -m 20 -w '%{http_code}' http://\(url)").text
                #expect(said.contains(words), "\(url): \(said) \(daemon.log)")
            }
            #expect(try lab.at(0, "dig +short AAAA dns.msftncsi.com").text == "64:ff9b::836b:ffff\n")
        }

        @Test func `a device that asks for IPv4 and can do without is told to`() throws {
            let lab = try DeviceLab(devices: 1)
            let daemon = try RunningGateway(for: lab)
            let question = """
                import socket, struct, time
                s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x800)); s.bind(("eth0", 0x800)); s.settimeout(3)
                own = bytes.fromhex("02005e200001")
                def ask(wanted):
                    m = struct.pack("!BBBBIHH", 1, 1, 6, 0, 0xcafe, 0, 0) + bytes(16) + own + bytes(202) + b"\\x63\\x82\\x53\\x63" + bytes([53, 1, 1, 55, 2, 1, wanted, 255])
                    u = struct.pack("!HHHH", 68, 67, 8 + len(m), 0) + m
                    # A bridge that filters looks at the header's checksum.
                    words = [0x4500, 20 + len(u), 0, 0, 0x4011, 0, 0, 0, 0xffff, 0xffff]
                    total = sum(words); words[5] = ~(total + (total >> 16)) & 0xffff
                    ip = struct.pack("!10H", *words)
                    s.send(b"\\xff" * 6 + own + b"\\x08\\x00" + ip + u)
                    # The host's kernel reports its listeners meanwhile.
                    try:
                        while True:
                            answer = s.recv(2000)
                            if answer[23] == 17 and answer[34:36] == bytes([0, 67]): return answer[42 + 240:].hex()
                    except TimeoutError: return "silence"
                print(ask(3)); print(ask(108))
                """
            let program = daemon.folder.appending(path: "dhcp.py")
            try question.write(to: program, atomically: true, encoding: .utf8)
            _ = try lab.at(0, "ip link set eth0 up")
            let said = try lab.at(0, "python3 \(program.path)").text.split(separator: "\n")
            #expect(said.first == "silence" && said.last?.hasPrefix("350102") == true, "\(said)")
            #expect(said.last?.contains("6c0400000708") == true, "\(said)")
        }

        @Test func `the interface is as before, however the daemon ended`() throws {
            let lab = try DeviceLab(devices: 1, isForwarding: true)
            _ = try lab.at(0, "ip link set eth0 up")
            sleep(2)
            let before = try lab.state()
            for round in 0..<30 {
                let daemon = try RunningGateway(for: lab, isAwaited: false)
                usleep(UInt32.random(in: 0..<600_000))
                daemon.end(round % 5 == 4 ? SIGTERM : SIGKILL)
                try eventually("the host is as it was, in round \(round)") { try lab.state() == before }
            }
            let daemon = try RunningGateway(for: lab)
            try lab.awaitAddress(of: 0)
            #expect(daemon.isReady, daemon.told)
            try eventually("a way") { try lab.reaches("shop.test") }
        }

        @Test func `the host's own network does not answer devices`() throws {
            let lab = try DeviceLab(devices: 1, isForwarding: true)
            _ = try lab.at(0, "ip link set eth0 up; sleep 2")
            let host = try lab.lab.output(at: .host, "sh", "-c", "ip -o -6 address show dev lan scope link").text
                .split(separator: " ").first { $0.hasPrefix("fe80") }.map { String($0.prefix { $0 != "/" }) }
            let address = try #require(host)
            #expect(try lab.at(0, "ping -c 1 -W 2 \(address)%eth0").status == 0)
            let daemon = try RunningGateway(for: lab)
            #expect(try lab.at(0, "ip neigh flush dev eth0; ping -c 2 -W 1 \(address)%eth0").status != 0, daemon.told)
            daemon.end(SIGKILL)
            try eventually("the host answers again") { try lab.at(0, "ping -c 1 -W 1 \(address)%eth0").status == 0 }
        }

        @Test func `an interface that cannot be a LAN is refused in words`() throws {
            let lab = try DeviceLab(devices: 1)
            for (preparation, words) in [
                ("true", ""), ("ip address add 192.168.7.1/24 dev lan", "it has the address 192.168.7.1"),
                ("ip address flush dev lan; ip link set lan down", "it is down; fix: ip link set lan up"),
                ("ip link set lan up mtu 1400", "its MTU is 1400, and that of the network 1500"),
            ] {
                try lab.host(preparation)
                let daemon = try RunningGateway(for: lab)
                #expect(daemon.isReady == words.isEmpty, daemon.told)
                let status = daemon.end()
                #expect(words.isEmpty || status == 5 && daemon.log.contains(words), daemon.told)
            }
            for (interface, words) in [
                ("lan0", "it is a port of a bridge"), ("nowhere", "there is none of this name"),
                ("lo", "it has the address 127.0.0.1"),
            ] {
                let refused = try lab.lab.output(
                    at: .host, Binaries.nat64sim, "serve", "--lan", interface, "--sockets", Binaries.scratch.path)
                #expect(refused.status == 5 && refused.text.contains(words), Comment(rawValue: refused.text))
            }
        }
    }
}
