// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `--url-loading apple`: URLSession with an IPv4 literal, and other clients, which it does not change.
    @Suite struct URLLoadingTests {
        private static let world = Binaries.root.appending(path: "fixtures/clients/world.yaml").path
        private static let url = ["http://198.51.100.44/echo", "site.tls.test"]

        /// The URLSession client of fixtures/clients/mobile, built once.
        private static let client = Result {
            let source = Binaries.root.appending(path: "fixtures/clients/mobile/url_loading.swift")
            let product = Binaries.directory.appending(path: "url-loading")
            let build = try run(["swiftc", "-parse-as-library", "-o", product.path, source.path], seconds: 300)
            try #require(build.status == 0, Comment(rawValue: build.standardError))
            return product.path
        }

        private func check(
            _ command: [String], loading: String? = "apple", options: [String] = [], as user: User = .available[0]
        ) throws -> Output {
            let urlLoading = loading.map { ["--url-loading", $0] } ?? []
            return try run(
                [Binaries.ipv6check, "--world", Self.world] + urlLoading + options + ["--"] + command, as: user,
                seconds: 120)
        }

        /// Connects to an address by a socket and then by URLSession: on Apple's systems only the second would work.
        private static let both = """
            import Foundation
            import FoundationNetworking
            @main struct Both {
                static func main() async throws {
                    var where_ = sockaddr_in()
                    where_.sin_family = sa_family_t(AF_INET)
                    where_.sin_port = in_port_t(80).bigEndian
                    where_.sin_addr.s_addr = UInt32(0xc633_642c).bigEndian
                    let link = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                    let result = withUnsafePointer(to: &where_) {
                        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            connect(link, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                        }
                    }
                    let url = URL(string: "http://198.51.100.44/")!
                    _ = try await URLSession(configuration: .ephemeral).data(from: url)
                    exit(result == 0 ? 0 : 1)
                }
            }
            """

        @Test func `a connection that URL loading synthesised hides no other to the same address`() throws {
            let folder = try SuiteFolder("", files: ["both.swift": Self.both])
            let build = try run(
                ["swiftc", "-g", "-parse-as-library", "-o", folder.path("both"), folder.path("both.swift")],
                seconds: 300)
            try #require(build.status == 0, Comment(rawValue: build.standardError))
            let report = try check([folder.path("both")])
            #expect(report.status == 1, Comment(rawValue: report.standardError))
            #expect(report.standardError.contains("why         V6C-001"), Comment(rawValue: report.standardError))
            #expect(report.standardError.contains("both.swift:12"), Comment(rawValue: report.standardError))
        }

        @Test(arguments: User.available) func `URLSession passes by an IPv4 literal, and is told why`(_ user: User)
            throws
        {
            let json = Binaries.scratch.appending(path: "url-loading-\(user).json")
            let output = try check(
                try [Self.client.get()] + Self.url, options: ["--json", json.path], as: user)
            expectPass(output)
            #expect(output.text == "hello\n")
            let report = output.standardError
            #expect(report.hasPrefix("ipv6check: PASS by URL loading's synthesis  "), Comment(rawValue: report))
            #expect(report.contains("warning     V6C-084"))
            #expect(
                report.contains("URL loading synthesised 64:ff9b::c633:642c for 198.51.100.44, as on Apple's systems."))

            struct Report: Decodable {
                struct Run: Decodable {
                    struct Lookup: Decodable {
                        var call: String
                        var node: String?
                        var service: String?
                        var synthesised: [String]
                    }
                    struct Flow: Decodable {
                        var address: String
                        var translatedTo: String?
                        var accepted: Int
                    }
                    var urlLoading: String?
                    var lookups: [Lookup]
                    var flows: [Flow]
                }
                var reliesOnSynthesis: Bool
                struct Finding: Decodable { var rule: String }
                var findings: [Finding]
                var runs: [Run]
            }
            let told = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            #expect(told.reliesOnSynthesis && told.findings.map(\.rule) == ["V6C-084"])
            #expect(told.runs.map(\.urlLoading) == ["apple"])
            let connection = try #require(told.runs[0].lookups.first { $0.call == "connect" })
            #expect(connection.node == "198.51.100.44" && connection.service == "80")
            #expect(connection.synthesised == ["64:ff9b::c633:642c"])
            #expect(
                told.runs[0].flows.contains {
                    $0.address == "64:ff9b::c633:642c" && $0.translatedTo == "198.51.100.44" && $0.accepted == 1
                })
        }

        @Test(arguments: [nil, "linux"], User.available)
        func `without that it fails, as on plain Linux`(_ loading: String?, _ user: User) throws {
            let output = try check(
                try [Self.client.get(), "http://198.51.100.31/hello"], loading: loading, as: user)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-001") && !output.standardError.contains("V6C-084"))
        }

        /// The library is preloaded even if URL loading is its only use.
        @Test func `it needs no synthesis of getaddrinfo's`() throws {
            let output = try check(try [Self.client.get()] + Self.url, options: ["--getaddrinfo", "linux"])
            expectPass(output)
            #expect(output.standardError.contains("V6C-084"))
        }

        @Test(arguments: [["--prefix", "2001:db8:64::/48"], ["--network", "none 1s, nat64"]])
        func `it follows to the prefix of the network where the client is`(_ options: [String]) throws {
            let retries = "until '\(try Self.client.get())' \(Self.url.joined(separator: " ")) 2>/dev/null; do :; done"
            let output = try check(["sh", "-c", retries], options: options)
            expectPass(output)
            #expect(output.text == "hello\n" && output.standardError.contains("V6C-084"))
        }

        @Test func `a name, and a network with IPv4, owe nothing to it`() throws {
            let client = try Self.client.get()
            for output in [
                try check([client, "http://site.tls.test/echo"]),
                try check([client] + Self.url, options: ["--network", "dual-stack"]),
            ] {
                expectPass(output)
                #expect(!output.standardError.contains("V6C-084"), Comment(rawValue: output.standardError))
            }
        }

        /// A failure with another cause is not attributed to the literal, and the report shows the connection.
        @Test func `a failure behind the connection is not the literal's`() throws {
            let output = try check(
                try [Self.client.get(), "http://198.51.100.44/nothing"], options: ["--control", "never"])
            #expect(
                output.status == 1 && !output.standardError.contains("V6C-001"), Comment(rawValue: output.standardError)
            )
            #expect(output.standardError.contains("64:ff9b::c633:642c"), Comment(rawValue: output.standardError))
        }

        /// A program that loads libcurl itself.
        private static let libcurl = """
            import ctypes, sys
            curl = ctypes.CDLL("libcurl.so.4")
            curl.curl_easy_init.restype = ctypes.c_void_p
            handle = ctypes.c_void_p(curl.curl_easy_init())
            curl.curl_easy_setopt(handle, 10002, ctypes.c_char_p(b"http://198.51.100.44/"))
            sys.exit(min(curl.curl_easy_perform(handle), 99))
            """

        @Test(arguments: [
            ["curl", "-sS", "http://198.51.100.44/"], ["python3", "-c", libcurl],
            [
                "python3", "-c",
                "import socket; s = socket.socket(); s.connect((socket.inet_ntop(2, socket.inet_pton(2, '198.51.100.44')), 80))",
            ],
        ])
        func `others get nothing of it`(_ command: [String]) throws {
            let output = try check(command)
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("V6C-001") && !output.standardError.contains("V6C-084"))
        }
    }
}
