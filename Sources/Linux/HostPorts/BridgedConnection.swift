// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet
internal import Wire

/// A client's connection, and the corresponding one to the machine.
final class BridgedConnection {
    /// Index of the port among those that the user named.
    let index: Int
    private let client: WatchedSocket
    /// `nil` only while another address is tried.
    private var machine: WatchedSocket?
    private let machineToken: UInt64
    private let port: UInt16
    private var forth = ByteStream()
    private var back = ByteStream()
    private var isConnecting = true
    /// The addresses at which a service of the machine may listen, in the order in which they are tried.
    private var addresses: [IPAddress] = [.ipv6(.loopback), .ipv4(IPv4Address(127, 0, 0, 1))]

    enum State {
        case goesOn
        /// Both directions have ended.
        case ended
        case refused
        case failed
    }

    /// - Parameters:
    ///   - port: the machine's port.
    ///   - token: the token of the client's socket; token + 1 is that of the machine's.
    init(_ client: consuming StreamSocket, index: Int, to port: UInt16, token: UInt64) {
        self.index = index
        self.port = port
        self.client = WatchedSocket(client, token: token)
        machineToken = token + 1
    }

    /// Whether the machine has received all that the client has sent.
    var isDelivered: Bool { forth.isFinished }

    /// Makes as much progress as possible without waiting.
    func advance(_ interests: InterestList, _ pipes: PipePool) -> State {
        if isConnecting {
            let state = connect(interests)
            if isConnecting { return state }
        }
        guard let machine,
            forth.move(from: client.socket, to: machine.socket, through: pipes),
            back.move(from: machine.socket, to: client.socket, through: pipes)
        else { return .failed }
        if forth.isFinished, back.isFinished { return .ended }
        return watch(interests, machine) ? .goesOn : .failed
    }

    private func watch(_ interests: InterestList, _ machine: WatchedSocket) -> Bool {
        client.watch(reading: forth.wantsInput, writing: back.wantsRoom, in: interests)
            && machine.watch(reading: back.wantsInput, writing: forth.wantsRoom, in: interests)
    }

    /// Tries the machine's loopback addresses, one after the other.
    private func connect(_ interests: InterestList) -> State {
        if let machine {
            // The socket is writable, or connecting has failed.
            if machine.socket.takeConnectionError() == nil {
                if machine.socket.peerAddress == nil { return .goesOn }
                isConnecting = false
                return .goesOn
            }
            self.machine = nil
        }
        while let address = addresses.popLast() {
            guard let socket = try? StreamSocket.connect(to: SocketAddress(address, port: port)) else { continue }
            let machine = WatchedSocket(socket, token: machineToken)
            guard machine.watch(reading: false, writing: true, in: interests) else { return .failed }
            self.machine = machine
            return .goesOn
        }
        return .refused
    }

    /// Resets both sides, so that neither mistakes the failure for an orderly end.
    func abort() {
        client.socket.resetWhenClosed()
        machine?.socket.resetWhenClosed()
    }
}

/// A socket, and the events that it is watched for.
final class WatchedSocket {
    let socket: StreamSocket
    private let token: UInt64
    private var watched: Epoll.Readiness = []

    init(_ socket: consuming StreamSocket, token: UInt64) {
        self.socket = socket
        self.token = token
    }

    /// A socket without events is removed from the list: otherwise it would report its end in each round.
    func watch(reading: Bool, writing: Bool, in interests: InterestList) -> Bool {
        var wanted: Epoll.Readiness = []
        if reading { wanted.insert(.readable) }
        if writing { wanted.insert(.writable) }
        if wanted == watched { return true }
        do throws(SystemError) {
            if wanted.isEmpty {
                try interests.remove(socket.descriptor)
            } else if watched.isEmpty {
                try interests.add(socket.descriptor, wanted, token: token)
            } else {
                try interests.modify(socket.descriptor, wanted, token: token)
            }
            watched = wanted
            return true
        } catch {
            return false
        }
    }
}
