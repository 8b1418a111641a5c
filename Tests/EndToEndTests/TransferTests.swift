// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Large transfers arrive as they were sent.
    @Suite struct TransferTests {
        /// Another program computes the server's octets as well, and their digests are compared.
        @Test func `a gigabyte download is intact`() throws {
            let octets = "1000000000"
            let output = try ipv6check(
                "sh", "-c", "curl -fsS http://shop.test/bytes/\(octets) | sha256sum", seconds: 180)
            expectPass(output)
            let expected = try run(["python3", "-c", Self.digestOfPattern, octets], seconds: 120)
            #expect(output.text.prefix(64) == expected.text.prefix(64))
        }

        @Test func `a hundred megabyte upload comes back intact`() throws {
            let file = Binaries.scratch.appending(path: "upload")
            let make = try run([
                "sh", "-c", "head -c 100000000 /dev/urandom > '\(file.path)' && sha256sum < '\(file.path)'",
            ])
            let output = try ipv6check(
                "sh", "-c", "curl -fsS -T '\(file.path)' http://shop.test/echo | sha256sum", seconds: 180)
            expectPass(output)
            #expect(output.text == make.text)
            try FileManager.default.removeItem(at: file)
        }

        /// `/bytes/N` documents its octets: at offset i there is i mod 251.
        private static let digestOfPattern = """
            import hashlib, sys
            rest = int(sys.argv[1])
            block = bytes(range(251)) * 4096
            digest = hashlib.sha256()
            while rest > 0:
                part = block[:rest]
                digest.update(part)
                rest -= len(part)
            print(digest.hexdigest())
            """
    }
}
