import Foundation
import Testing

/// Large transfers arrive as they were sent.
@Suite(needsNetwork, .serialized) struct TransferTests {
    /// The server's octets are computed again by another program, and compared by their digest.
    @Test func aGigabyteDownloadIsIntact() throws {
        let octets = 1_000_000_000
        let output = try ipv6check(
            "sh", "-o", "pipefail", "-c", "curl -fsS http://shop.test/bytes/\(octets) | sha256sum", seconds: 180)
        // dash before 0.5.12 has no pipefail; the digest tells all the same.
        let result =
            output.status == 0
            ? output
            : try ipv6check("sh", "-c", "curl -fsS http://shop.test/bytes/\(octets) | sha256sum", seconds: 180)
        expectPass(result)
        let expected = try run(["python3", "-c", Self.digestOfPattern, "\(octets)"], seconds: 120)
        #expect(result.text.prefix(64) == expected.text.prefix(64))
    }

    @Test func aHundredMegabyteUploadComesBackIntact() throws {
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

    private static let digestOfPattern = ""
}
