// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The evidence of a short run is complete, every time, however busy the machine is.
    @Suite struct EvidenceTests {
        /// 500 runs with IPV6CHECK_LONG_TESTS=1.
        private static let runs = ProcessInfo.processInfo.environment["IPV6CHECK_LONG_TESTS"] == "1" ? 250 : 12

        @Test(arguments: [false, true])
        func `a client that ends with its last reply has asked both questions`(_ isBusy: Bool) throws {
            let others =
                isBusy ? try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in try Self.spin() } : []
            defer {
                for other in others { other.endAtOnce() }
            }
            for _ in 0..<Self.runs {
                let output = try ipv6check("--control", "never", "getent", "ahosts", "nosuch.test")
                #expect(
                    output.standardError.contains("nosuch.test A → NXDOMAIN")
                        && output.standardError.contains("nosuch.test AAAA → NXDOMAIN"),
                    Comment(rawValue: output.standardError))
            }
        }

        private static func spin() throws -> Process {
            // The kernel ends it after 600 s of CPU time, should the test be killed.
            try .start(["sh", "-c", "ulimit -t 600; while :; do :; done"])
        }

        /// More datagrams than the packet path takes at a time.
        @Test func `a client that sends and ends has sent it all`() throws {
            let program = """
                import socket
                address = socket.getaddrinfo("echo.test", 9, type=socket.SOCK_DGRAM)[0][4]
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                for _ in range(300): s.sendto(b"x" * 10, address)
                """
            let file = Binaries.scratch.appending(path: "datagrams.json")
            expectPass(try ipv6check("--json", file.path, "python3", "-c", program))
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let run = try #require((report["runs"] as? [[String: Any]])?.first)
            let flow = try #require((run["flows"] as? [[String: Any]])?.first)
            #expect(flow["bytesSent"] as? Int == 3000)
        }
    }
}
