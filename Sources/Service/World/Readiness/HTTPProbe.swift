// SPDX-License-Identifier: Apache-2.0
import Glibc
package import LinuxNet
package import Suites
import Wire

/// A GET over HTTP/1.1, or a connection alone, with a limit for everything.
package enum HTTPProbe {
    private static let timedOut = Errno(ETIMEDOUT)
    /// Octets of an answer that are read.
    private static let limit = 1 << 20

    package static func get(
        _ path: String, at address: SocketAddress, from source: SocketAddress?, within time: Duration
    ) -> ProbeAnswer.Result {
        let request =
            "GET \(path) HTTP/1.1\r\nHost: \(address)\r\nUser-Agent: ipv6check\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        return exchange(request, at: address, from: source, until: MonotonicClock.now() + time)
    }

    package static func connect(to address: SocketAddress, from source: SocketAddress?, within time: Duration)
        -> ProbeAnswer.Result
    {
        exchange(nil, at: address, from: source, until: MonotonicClock.now() + time)
    }

    private static func exchange(
        _ request: String?, at address: SocketAddress, from source: SocketAddress?, until deadline: Instant
    ) -> ProbeAnswer.Result {
        do throws(SystemError) {
            let socket = try StreamSocket.connect(to: address, from: source)
            guard waitForOutput(socket.descriptor, until: deadline) else { return .timedOut }
            if let error = socket.takeConnectionError() { return result(of: error) }
            guard let request else { return .connected }
            var rest = Array(request.utf8)[...]
            while !rest.isEmpty {
                switch socket.write(Array(rest).span) {
                case .bytes(let count): rest = rest.dropFirst(count)
                case .wouldBlock: guard waitForOutput(socket.descriptor, until: deadline) else { return .timedOut }
                case .error(let error): return result(of: error)
                }
            }
            return answer(on: socket, until: deadline)
        } catch {
            return result(of: error.errno)
        }
    }

    private static func result(of error: Errno) -> ProbeAnswer.Result {
        switch error {
        case .ECONNREFUSED: .refused
        case Self.timedOut: .timedOut
        default: .failed("\(error)")
        }
    }

    private static func answer(on socket: borrowing StreamSocket, until deadline: Instant) -> ProbeAnswer.Result {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < limit {
            if let answer = HTTPAnswer(received), answer.isComplete { break }
            guard waitForInput(socket.descriptor, until: deadline) else {
                return received.isEmpty ? .timedOut : .failed("its answer does not end")
            }
            var space = buffer.mutableSpan
            let read = socket.read(into: &space)
            if case .bytes(let count) = read { received += buffer.prefix(count) }
            if case .error(let error) = read { return result(of: error) }
            if case .end = read { break }
        }
        guard let answer = HTTPAnswer(received) else { return .failed("its answer is no HTTP") }
        return .http(status: answer.status, body: String(decoding: answer.body, as: UTF8.self))
    }
}
