// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Wire

/// A runner that only attaches a link to a daemon and detaches it: this executable, started again in its own namespace, where the link is
/// made before the measurement.
///
///     Bench --attach SOCKET COUNT      prints the milliseconds of each attachment, from the connection until the daemon has the link
enum AttachEnd {
    static let flag = "--attach"

    static func times(at socket: String, count: Int) throws(BenchFailure) -> [Double] {
        let said = try ChildProcess.run(CommandLine.arguments[0], flag, socket, "\(count)")
        let times = said.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard times.count == count else { throw BenchFailure("attaching to the daemon: \(said)") }
        return times
    }

    static func runIfAsked() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.first == flag else { return }
        do {
            guard words.count == 3, let count = Int(words[2]) else { throw BenchFailure("\(flag) SOCKET COUNT") }
            try OwnNetwork.enter()
            let device = LinkDevice.tun(try TUNDevice.create(name: "bench"))
            // The first one in a process loads the JSON decoder.
            _ = try attach(device, at: words[1])
            for _ in 0..<count { print(try attach(device, at: words[1])) }
        } catch {
            print(error)
            exit(1)
        }
        exit(0)
    }

    private static func attach(_ device: borrowing LinkDevice, at socket: String) throws -> Double {
        let start = MonotonicClock.now()
        let attachment = try Attachment.request(at: socket, network: .nat64, client: "bench", waitingFor: .seconds(10))
        try attachment.attach(device, capture: nil)
        let time = MonotonicClock.now() - start
        _ = try attachment.end(hasCapture: false)
        return Double(time.wholeNanoseconds) / 1e6
    }
}
