// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// V6C-041 in a world with a metadata service.
    @Suite struct CloudMetadataTests {
        private static let world = Binaries.root.appending(path: "fixtures/worlds/metadata.yaml").path

        private func check(_ command: [String], on network: String = "nat64") throws -> Output {
            try run([Binaries.ipv6check, "--world", Self.world, "--network", network, "--"] + command)
        }

        private static let clients = [
            ["curl", "-sS", "--max-time", "5", "http://169.254.169.254/latest/meta-data/placement/region"],
            [
                "python3", "-c",
                """
                import urllib.request as u
                token = u.urlopen(u.Request("http://169.254.169.254/latest/api/token", method="PUT",
                    headers={"X-aws-ec2-metadata-token-ttl-seconds": "60"}), timeout=5).read().decode()
                print(u.urlopen(u.Request("http://169.254.169.254/latest/meta-data/placement/region",
                    headers={"X-aws-ec2-metadata-token": token}), timeout=5).read().decode())
                """,
            ],
            [
                "perl", "-MIO::Socket::INET", "-e",
                """
                my $s = IO::Socket::INET->new(PeerAddr => "169.254.169.254:80", Timeout => 5) or die "no metadata: $!\\n";
                print $s "GET /latest/meta-data/placement/region HTTP/1.1\\r\\nHost: 169.254.169.254\\r\\nConnection: close\\r\\n\\r\\n";
                print while <$s>;
                """,
            ],
        ]

        @Test(arguments: clients) func `its IPv4 address works on dual-stack, and nowhere without IPv4`(
            client: [String]
        ) throws {
            let output = try check(client)
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("V6C-041"), output.told)
            let dualStack = try check(client, on: "dual-stack")
            expectPass(dualStack)
            #expect(dualStack.text.contains("eu-central-1"))
        }

        @Test func `no translator leads there`() throws {
            let output = try check(["curl", "-sS", "--max-time", "5", "-g", "http://[64:ff9b::a9fe:a9fe]/latest/"])
            #expect(output.status != 0 && output.text.isEmpty, output.told)
        }

        @Test func `a CLAT leads to no metadata service`() throws {
            let output = try check(Self.clients[0], on: "nat64+clat")
            #expect(output.status == 1 && !output.standardError.contains("PASS"), output.told)
        }

        @Test(arguments: ["nat64", "dual-stack"]) func `AWS has one for IPv6`(network: String) throws {
            let output = try check(
                ["curl", "-sS", "-g", "http://[fd00:ec2::254]/latest/meta-data/placement/region"], on: network)
            expectPass(output)
            #expect(output.text == "eu-central-1")
        }
    }
}
