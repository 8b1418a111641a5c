// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The server that all forward to: our own service, with all the names in its records. It counts what it is asked.
struct Upstream: ~Copyable {
    let port: UInt16
    private let process: ChildProcess
    private let count: TemporaryFile

    /// How often it writes its count down.
    static let pause: UInt32 = 50_000

    init() throws(BenchFailure) {
        let port = try NameServer.freePort()
        let count = try TemporaryFile()
        let process = try ChildProcess.service(
            CommandLine.arguments[0], OwnNameServer.flag, "names", "\(port)", count.path)
        try NameServer.awaitAnswer(port)
        self.port = port
        self.process = process
        self.count = count
    }

    /// Queries that came so far.
    func queries() throws(BenchFailure) -> Int {
        // Twice its pause: what it has been asked is written by then.
        usleep(2 * Self.pause)
        guard let number = Int(count.contents.filter(\.isNumber)) else {
            throw BenchFailure("the upstream does not count")
        }
        return number
    }
}
