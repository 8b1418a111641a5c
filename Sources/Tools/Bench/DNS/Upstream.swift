// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The upstream of all servers: our own service, with all the names in its records. It counts its queries.
struct Upstream: ~Copyable {
    let port: UInt16
    private let process: ChildProcess
    private let count: TemporaryFile

    /// Interval between updates of its count, in microseconds.
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

    /// Queries received so far.
    func queries() throws(BenchFailure) -> Int {
        // After twice the interval, the count contains every earlier query.
        usleep(2 * Self.pause)
        guard let number = Int(count.contents.filter(\.isNumber)) else {
            throw BenchFailure("the upstream does not count")
        }
        return number
    }
}
