// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import Suites
import Wire

/// A GET, or only a connection, with one time limit for all of it.
package enum HTTPProbe {
    package static func get(
        _ request: PageRequest, at address: SocketAddress, from source: SocketAddress?, within time: Duration,
        unless hasEnded: () -> Bool = { false }
    ) -> ProbeAnswer.Result {
        probe(address, from: source, within: time, unless: hasEnded) { socket, deadline in
            do {
                let client = try PageClient(request, host: "\(address)")
                return answer(of: client, on: socket, until: deadline, unless: hasEnded)
            } catch {
                return .failed("\(error)")
            }
        }
    }

    package static func connect(
        to address: SocketAddress, from source: SocketAddress?, within time: Duration,
        unless hasEnded: () -> Bool = { false }
    ) -> ProbeAnswer.Result {
        probe(address, from: source, within: time, unless: hasEnded) { socket, deadline in
            let end = min(deadline, MonotonicClock.now() + lookingTime)
            guard wait(until: end, unless: hasEnded, { waitForInput(socket.descriptor, until: $0) }) else {
                return hasEnded() ? .failed("it ended at this connection") : .connected
            }
            var octet: [UInt8] = [0]
            var space = octet.mutableSpan
            if case .bytes = socket.read(into: &space) { return .connected }
            // One that crashes closes its connections before it has ended.
            let closed = MonotonicClock.now()
            while !hasEnded(), MonotonicClock.now() < closed + lookingTime {
                sleep(until: MonotonicClock.now() + .milliseconds(10))
            }
            return hasEnded() ? .failed("it ended at this connection") : .closed
        }
    }

    /// Time for a server to look at its client, and to close the connection or crash.
    private static let lookingTime = Duration.milliseconds(250)

    private static func probe(
        _ address: SocketAddress, from source: SocketAddress?, within time: Duration, unless hasEnded: () -> Bool,
        _ use: (borrowing StreamSocket, Instant) -> ProbeAnswer.Result
    ) -> ProbeAnswer.Result {
        let deadline = MonotonicClock.now() + time
        do throws(SystemError) {
            let socket = try StreamSocket.connect(to: address, from: source)
            let isReady = wait(until: deadline, unless: hasEnded) { waitForOutput(socket.descriptor, until: $0) }
            guard isReady else { return hasEnded() ? .unsent("the server has ended") : .timedOut }
            if let error = socket.takeConnectionError() { return result(of: error) }
            return use(socket, deadline)
        } catch {
            return result(of: error.errno)
        }
    }

    /// Waits for an event, and looks now and then whether the server has ended: its machine may be gone with it, and no answer comes then.
    private static func wait(until deadline: Instant, unless hasEnded: () -> Bool, _ event: (Instant) -> Bool) -> Bool {
        while true {
            let now = MonotonicClock.now()
            if event(min(deadline, now + .milliseconds(100))) { return true }
            if now >= deadline || hasEnded() { return false }
        }
    }

    private static func result(of error: Errno) -> ProbeAnswer.Result {
        switch error {
        case .ECONNREFUSED: .refused
        case .ETIMEDOUT: .timedOut
        default: .failed("\(error)")
        }
    }

    private static func answer(
        of client: PageClient, on socket: borrowing StreamSocket, until deadline: Instant, unless hasEnded: () -> Bool
    ) -> ProbeAnswer.Result {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var hasCome = false
        while true {
            while let output = client.takeOutput() {
                if let failure = failure(ofSending: output, on: socket, until: deadline) { return failure }
            }
            if let result = client.result { return result }
            guard wait(until: deadline, unless: hasEnded, { waitForInput(socket.descriptor, until: $0) }) else {
                if hasEnded() { return .failed("it ended without an answer") }
                return hasCome ? .failed("its answer does not end") : .timedOut
            }
            var space = buffer.mutableSpan
            switch socket.read(into: &space) {
            case .bytes(let count):
                hasCome = true
                client.receive(buffer.prefix(count))
            case .end: client.receiveEnd()
            case .wouldBlock: continue
            case .error(let error): return result(of: error)
            }
        }
    }

    /// Sends `octets`. Returns `nil` if all of them were sent.
    private static func failure(
        ofSending octets: [UInt8], on socket: borrowing StreamSocket, until deadline: Instant
    ) -> ProbeAnswer.Result? {
        var rest = octets[...]
        while !rest.isEmpty {
            switch socket.write(Array(rest).span) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: guard waitForOutput(socket.descriptor, until: deadline) else { return .timedOut }
            case .error(let error): return result(of: error)
            }
        }
        return nil
    }
}
