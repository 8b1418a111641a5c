// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
package import LinuxNet
package import Router
package import Simulator

/// Messages from a runner that holds the uplink to its simulator's process, over a socket of their own: the process's main
/// thread serves a client meanwhile.
private enum UplinkNews: AttachMessage, Hashable {
    /// Comes with a `DestinationsFile` that applies from now on.
    case destinations

    static let plain: [(message: UplinkNews, text: String)] = [(.destinations, "destinations")]
}

/// The runner's end.
package struct UplinkTeller: Sendable {
    private let line: SharedChannel

    package init(_ socket: consuming UnixSocket) {
        line = SharedChannel(AttachChannel(socket))
    }

    /// Sends the destinations. Errors are ignored, as a process that has ended needs none.
    package func tell(_ destinations: AllowedDestinations) {
        guard let file = try? DestinationsFile.make(destinations) else { return }
        line.channel.send(UplinkNews.destinations, descriptor: file.number)
    }
}

/// The end of the simulator's process.
package enum UplinkListener {
    /// Has the simulator follow the messages from now on, on a thread that ends with the process.
    package static func start(_ socket: consuming UnixSocket, for simulator: Simulator) throws(SystemError) {
        try WorkerThread.start(name: "uplink", with: socket) { socket in
            let channel = AttachChannel(socket)
            while true {
                switch channel.receive(UplinkNews.self, until: nil) {
                case .message(.destinations, let file?):
                    if let destinations = DestinationsFile.read(file) { simulator.change(to: destinations) }
                case .message: continue
                case .nonsense: continue
                case .timedOut: continue
                case .closed: return
                }
            }
        }.detach()
    }
}
