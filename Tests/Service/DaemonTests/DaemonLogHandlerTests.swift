// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Logging
import Synchronization
import Testing

@testable import Daemon

struct DaemonLogHandlerTests {
    private static let fields = [(key: "client", value: "3"), (key: "name", value: "a b")]

    @Test func `text is for people`() {
        #expect(
            DaemonLogHandler.text("2026-11-21T22:31:35.042Z", .info, "curl is on nat64", Self.fields)
                == "2026-11-21T22:31:35.042Z info     curl is on nat64  client=3 name=\"a b\"\n")
    }

    @Test func `level and format may change, and who writes waits for no reader`() throws {
        let reader = Reader()
        let log = try DaemonLog(DaemonConfiguration.Log()) { reader.take($0) }
        let logger = log.logger
        logger.debug("not yet")
        log.current = DaemonConfiguration.Log(format: .json, level: .debug)
        logger.debug("now")
        try log.start()
        reader.pause {
            for number in 0..<3000 { logger.info("\(number)") }
        }
        log.stop()
        #expect(reader.lines.first?.hasPrefix("{\"level\":\"debug\",\"message\":\"now\"") == true)
        #expect(reader.lines.count > 1000 && reader.lines.count < 3000)
    }

    /// Takes no line for as long as it makes a pause.
    private final class Reader: Sendable {
        private let state = Mutex<[String]>([])
        private let gate = Mutex(())

        var lines: [String] { state.withLock { $0 } }

        func take(_ line: String) { gate.withLock { _ in state.withLock { $0.append(line) } } }

        func pause(_ body: () -> Void) { gate.withLock { _ in body() } }
    }

    @Test func `JSON is one line whatever is said`() {
        #expect(
            DaemonLogHandler.json("t", .error, "two\nlines \"quoted\"", Self.fields)
                == #"{"client":"3","level":"error","message":"two\nlines \"quoted\"","name":"a b","time":"t"}"# + "\n")
    }
}
