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
}
