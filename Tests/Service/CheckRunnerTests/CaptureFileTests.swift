// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CheckRunner

@Suite struct `The capture of a further run` {
    @Test(arguments: [
        ("both.pcap", "both.again.pcap"), ("a.b/both", "a.b/both.again"), (".pcap", ".pcap.again"),
        ("/tmp/x.y.pcap", "/tmp/x.y.again.pcap"),
    ])
    func `has a name beside the first's`(_ path: String, _ further: String) {
        #expect(CaptureFile(path, label: "again")?.path == further)
        #expect(CaptureFile(path, label: nil)?.path == path)
    }

    @Test func `has a name that a file can have, or it is told before anything runs`() throws {
        let longest = String(repeating: "n", count: 255 - "both..pcap".count)
        try CaptureFile.check(nil, labels: [longest + "x"])
        try CaptureFile.check("/tmp/both.pcap", labels: ["nat64", longest])
        let failure = #expect(throws: CheckFailure.self) {
            try CaptureFile.check("/tmp/both.pcap", labels: ["nat64", longest + "x"])
        }
        #expect(failure?.exitCode == .usage)
        #expect(failure?.description.contains("has 256 octets") == true)
    }
}
