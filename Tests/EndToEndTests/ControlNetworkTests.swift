// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The dual-stack network has everything that a client is used to, so a failure there is no IPv6 problem.
    @Suite struct `The control network` {
        /// A client with its own resolver, which uses only the IPv4 addresses of resolv.conf.
        private static let client = """
            import socket, struct, sys
            servers = [line.split()[1] for line in open('/etc/resolv.conf') if line.startswith('nameserver')]
            servers = [server for server in servers if ':' not in server]
            if not servers: sys.exit('no resolver')
            name = b''.join(bytes([len(part)]) + part for part in sys.argv[1].encode().split(b'.')) + b'\\0'
            query = struct.pack('>HHHHHH', 4242, 0x0100, 1, 0, 0, 0) + name + struct.pack('>HH', 1, 1)
            if sys.argv[2] == 'udp':
                link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                link.settimeout(5)
                link.sendto(query, (servers[0], 53))
                reply = link.recv(4096)
            else:
                link = socket.create_connection((servers[0], 53), 5)
                link.sendall(struct.pack('>H', len(query)) + query)
                reply = link.makefile('rb').read(2 + struct.unpack('>H', link.recv(2, socket.MSG_PEEK))[0])[2:]
            print(socket.inet_ntoa(reply[-4:]))
            """

        @Test(arguments: User.available, ["udp", "tcp"])
        func `A client that knows IPv4 resolvers only works there`(user: User, transport: String) throws {
            let output = try ipv6check(
                "--verbose", "python3", "-c", Self.client, "shop.test", transport, as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("works on dual-stack"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("198.51.100.10"))
        }

        @Test func `A client that knows IPv4 resolvers only works there by a daemon, too`() throws {
            let output = try RunningDaemon().check("python3", "-c", Self.client, "shop.test", "udp")
            #expect(output.status == 1, Comment(rawValue: output.standardError))
        }

        @Test func `Both resolvers are in resolv_conf there, IPv4 first, and one on the IPv6-only network`() throws {
            let both = try ipv6check("--network", "dual-stack", "grep", "nameserver", "/etc/resolv.conf")
            #expect(both.text == "nameserver 192.0.2.1\nnameserver 2e00:2:0:1::1\n")
            #expect(
                try ipv6check("grep", "nameserver", "/etc/resolv.conf").text == "nameserver 2e00:2:0:1::1\n")
        }

        @Test func `No resolver answers through the NAT64`() throws {
            let output = try ipv6check(
                "--prefix", "2001:db8:64::/96", "--control", "never", "dig", "+time=2", "+tries=1", "+short",
                "@2001:db8:64::192.0.2.1", "A", "shop.test")
            #expect(!output.text.contains("198.51.100.10"))
        }
    }

    /// The client keeps the certificates that the user has chosen.
    @Suite struct `The user's certificates` {
        private func scratchFile(_ name: String) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            try Data("# of the user's own, without an end of line".utf8).write(to: file)
            return file.path
        }

        @Test(arguments: User.available) func `Curl trusts the test CA by the user's own bundle`(user: User) throws {
            let path = try scratchFile("own.pem")
            let output = try ipv6check(
                "sh", "-c", "curl -fsS https://shop.test/ip && head -c 25 \"$CURL_CA_BUNDLE\"", as: user,
                environment: ["CURL_CA_BUNDLE": path])
            expectPass(output)
            #expect(output.text.contains("# of the user's own, with"))
            #expect(output.standardError.contains("CURL_CA_BUNDLE: the test CA was added to \(path)."))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "# of the user's own, without an end of line")
        }

        private static let hasJava = (try? run(["java", "-version"]).status) == 0

        private static let hasKeytool = (try? run(["keytool", "-help"]).status) == 0

        /// Creates a store of each kind under JAVA_HOME; keytool then lists what the client finds there.
        @Test(.enabled(if: hasKeytool, "needs keytool"), arguments: ["JKS", "PKCS12"])
        func `Java's key store has the test CA beside what it had`(type: String) throws {
            let home = Binaries.scratch.appending(path: "java-\(type)")
            let folder = home.appending(path: "lib/security")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = folder.appending(path: "cacerts").path
            let certificate = home.appending(path: "own.pem").path
            try #require(
                try run([
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=own", "-keyout",
                    "/dev/null", "-out", certificate,
                ]).status == 0)
            let plain = ["macAlgorithm", "certProtectionAlgorithm"].map { "-J-Dkeystore.pkcs12.\($0)=NONE" }
            let made = try run(
                ["keytool"] + plain + [
                    "-importcert", "-noprompt", "-alias", "own", "-file", certificate, "-storetype", type,
                    "-storepass", "changeit", "-keystore", store,
                ])
            try #require(made.status == 0, Comment(rawValue: made.text))
            let output = try ipv6check(
                "keytool", "-list", "-storepass", "changeit", "-keystore", store, seconds: 120,
                environment: ["JAVA_HOME": home.path])
            expectPass(output)
            #expect(output.text.contains("ipv6check-test-ca, "), Comment(rawValue: output.text))
            #expect(output.text.contains("own, "))
            #expect(output.text.components(separatedBy: "trustedCertEntry").count == 3, "both are trusted")
        }

        @Test(.enabled(if: hasJava, "needs java"), arguments: User.available)
        func `Java trusts the test CA`(user: User) throws {
            let source = Binaries.scratch.appending(path: "Fetch.java")
            try Data(
                """
                public class Fetch {
                    public static void main(String[] words) throws Exception {
                        var connection = (javax.net.ssl.HttpsURLConnection) new java.net.URL(words[0]).openConnection();
                        System.out.println(connection.getResponseCode());
                    }
                }
                """.utf8
            ).write(to: source)
            let output = try ipv6check(
                "--network", "dual-stack", "java", source.path, "https://shop.test/", as: user, seconds: 120)
            expectPass(output)
            #expect(output.text == "200\n")
            #expect(!output.standardError.contains("JAVA_TOOL_OPTIONS"))
        }
    }
}
