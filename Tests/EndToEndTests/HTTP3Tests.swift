// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// HTTP/3 over NAT64: a real server, and a client from PyPI, which scripts/test fetches.
    @Suite struct HTTP3Tests {
        /// The folder of the packages that scripts/test fetches from PyPI.
        private static let python = Binaries.root.appending(path: ".build/python").path

        private static var canRun: Bool {
            FileManager.default.fileExists(atPath: python + "/aioquic")
                && isInstalled("caddy")
        }

        @Test(.enabled(if: canRun, "needs caddy, and aioquic in .build/python: scripts/test gets both"))
        func `a client of HTTP/3 by name, by literal, and as an alternative service`() throws {
            let folder = Binaries.root.appending(path: "fixtures/clients/http3").path
            let suite = try run(
                [Binaries.ipv6check, "suite", folder + "/ipv6check.yaml"], seconds: 120,
                environment: ["PYTHONPATH": Self.python])
            #expect(suite.status == 0, Comment(rawValue: suite.text + suite.standardError))
            #expect(suite.standardError.contains("6 passed"))
        }
    }
}
