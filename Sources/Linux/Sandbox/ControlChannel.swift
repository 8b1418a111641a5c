// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxNet
internal import Topology
internal import Wire

/// The messages between runner, zygote, launcher and keeper (listed in clinux_keeper.h).
struct ControlChannel: ~Copyable {
    private let socket: UnixSocket

    init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    enum Message: ~Copyable {
        /// With the new launcher's end of its control socket.
        case launch(control: Descriptor)
        case launched(process: Int32)
        case network(ClientNetwork)
        /// The file for a standard stream's number.
        case stream(number: Int32, Descriptor)
        case plan(Descriptor)
        case link(Descriptor)
        case socket(Descriptor)
        case listener(Descriptor)
        case closedSockets(Descriptor?)
        case routes(Descriptor)
        case file(Descriptor)
        case failed(SandboxError)
        case go(hasTerminal: Bool)
        /// With a descriptor of the client (pidfd), if the keeper could open one.
        case started(client: Descriptor?, Protection)
        case notExecuted(Errno)
        case ended(ExitReport)
        /// The client runs, but does not stop at the traced calls.
        case notTraced(Errno)
        case stopped(by: Int32)
        /// The terminal sent the client's process group this signal.
        case typed(Int32)
        case survivors(Survivors)
        /// No message yet; returned only to callers that do not wait.
        case nothing
        /// The other end is gone.
        case closed
    }

    var descriptor: Int32 { socket.descriptor }

    /// Returns whether the other end was there to receive it.
    @discardableResult
    borrowing func send(_ kind: Int, value: Int32 = 0, descriptor: Int32? = nil) -> Bool {
        var message = clinux_message()
        message.kind = Int32(kind)
        message.value = value
        let bytes = unsafe withUnsafeBytes(of: &message) { unsafe Array($0) }
        return send(bytes, descriptor: descriptor)
    }

    @discardableResult
    borrowing func send(_ error: SandboxError) -> Bool {
        var writer = PlanWriter()
        writer.number(error.step.rawValue)
        writer.text(error.reason)
        writer.optional(error.remedy) { $0.text($1) }
        return send(Self.opening(clinux_message_failed) + writer.bytes, descriptor: nil)
    }

    @discardableResult
    borrowing func send(_ network: ClientNetwork) -> Bool {
        var writer = PlanWriter()
        network.write(to: &writer)
        return send(Self.opening(clinux_message_network) + writer.bytes, descriptor: nil)
    }

    private static func opening(_ kind: Int) -> [UInt8] {
        let kind = Int32(kind)
        return unsafe withUnsafeBytes(of: kind) { unsafe Array($0) }
    }

    private borrowing func send(_ bytes: [UInt8], descriptor: Int32?) -> Bool {
        do throws(SystemError) {
            try socket.send(bytes.span, descriptor: descriptor)
            return true
        } catch {
            return false
        }
    }

    borrowing func receive(waiting: Bool = true) -> Message {
        do throws(SystemError) {
            switch try socket.receive(upTo: 16_384, waiting: waiting) {
            case .message(let octets, let descriptor): return Self.decode(octets, descriptor: descriptor)
            case .wouldBlock: return .nothing
            case .closed: return .closed
            }
        } catch {
            return .closed
        }
    }

    /// Malformed messages count as the end of the connection.
    private static func decode(_ bytes: [UInt8], descriptor: consuming Descriptor?) -> Message {
        var message = clinux_message()
        let count = min(bytes.count, MemoryLayout<clinux_message>.size)
        unsafe withUnsafeMutableBytes(of: &message) { unsafe $0.copyBytes(from: bytes.prefix(count)) }
        switch Int(message.kind) {
        case clinux_message_failed:
            return decodeError(Array(bytes.dropFirst(MemoryLayout<Int32>.size)))
        case clinux_message_launched: return .launched(process: message.value)
        case clinux_message_network:
            var reader = PlanReader(Array(bytes.dropFirst(MemoryLayout<Int32>.size)))
            return (try? ClientNetwork(from: &reader)).map { .network($0) } ?? .closed
        case clinux_message_go: return .go(hasTerminal: message.value != 0)
        case clinux_message_started:
            let protection = message.value == 0 ? Protection.namespace : .subreaper(because: Errno(message.value))
            return .started(client: descriptor, protection)
        case clinux_message_not_forked: return .failed(SandboxObstacle.noProcess(Errno(message.value)))
        case clinux_message_not_executed: return .notExecuted(Errno(message.value))
        case clinux_message_ended: return .ended(ExitReport(message))
        case clinux_message_not_traced: return .notTraced(Errno(message.value))
        case clinux_message_stopped: return .stopped(by: message.value)
        case clinux_message_typed: return .typed(message.value)
        case clinux_message_survivors: return .survivors(Survivors(bytes))
        case clinux_message_closed_sockets: return .closedSockets(descriptor)
        default:
            guard let descriptor else { return .closed }
            return decode(message, carrying: descriptor)
        }
    }

    private static func decode(_ message: clinux_message, carrying descriptor: consuming Descriptor) -> Message {
        switch Int(message.kind) {
        case clinux_message_launch: .launch(control: descriptor)
        case clinux_message_stream: .stream(number: message.value, descriptor)
        case clinux_message_plan: .plan(descriptor)
        case clinux_message_link: .link(descriptor)
        case clinux_message_socket: .socket(descriptor)
        case clinux_message_listener: .listener(descriptor)
        case clinux_message_routes: .routes(descriptor)
        case clinux_message_file: .file(descriptor)
        default: .closed
        }
    }

    private static func decodeError(_ bytes: [UInt8]) -> Message {
        var reader = PlanReader(bytes)
        do throws(PlanReader.Malformed) {
            guard let step = SandboxError.Step(rawValue: try reader.number()) else { return .closed }
            let reason = try reader.text()
            let remedy = try reader.optional { reader throws(PlanReader.Malformed) in try reader.text() }
            return .failed(SandboxError(step, reason, remedy: remedy))
        } catch {
            return .closed
        }
    }
}
