import Logging
import Testing

@testable import Daemon

struct DaemonLogHandlerTests {
    private static let fields = [(key: "client", value: "3"), (key: "name", value: "a b")]

    @Test func `text is for people`() {
        #expect(
            DaemonLogHandler.text("2026-11-21T22:31:35.042Z", .info, "curl is on nat64", Self.fields)
                == "2026-11-21T22:31:35.042Z info     curl is on nat64  client=3 name=\"a b\"\n")
    }

    @Test func `JSON is one line whatever is said`() {
        #expect(
            DaemonLogHandler.json("t", .error, "two\nlines \"quoted\"", Self.fields)
                == #"{"client":"3","level":"error","message":"two\nlines \"quoted\"","name":"a b","time":"t"}"# + "\n")
    }

    @Test func `names that strangers give have nothing that a terminal obeys`() {
        #expect(String(printable: "curl\u{1b}[31m\n\u{202e}x") == "curl\u{fffd}[31m\u{fffd}\u{fffd}x")
        #expect(String(printable: String(repeating: "a", count: 1000)).count == 64)
    }
}
