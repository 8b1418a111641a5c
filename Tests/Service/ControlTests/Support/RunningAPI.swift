// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import LinuxNet
import NIOCore
import NIOPosix
import Testing

/// The API of a fake daemon at a socket of its own.
struct RunningAPI {
    let daemon = FakeDaemon()
    let socket: String

    var client: ControlClient { ControlClient(socket: socket) }
}

/// Serves for as long as `body` goes on; afterwards no file is left.
func withAPI(
    _ limits: ControlServer.Limits = .unhurried, _ body: (RunningAPI) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "control-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let api = RunningAPI(socket: folder.appending(path: "control.sock").path)
    let listener = try UnixSocketFile(at: api.socket, .stream)
    let server = try await ControlServer.start(
        at: listener.listener, for: api.daemon, ownedBy: geteuid(), limits: limits)
    do {
        try await body(api)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension RunningAPI {
    /// Sends octets as they are, and returns all that comes until the server closes.
    func exchange(_ text: String) async throws -> HTTPAnswer {
        let connection = try await connect()
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var octets = ByteBuffer()
            for try await part in inbound { octets.writeImmutableBuffer(part) }
            return HTTPAnswer(String(buffer: octets))
        }
    }

    /// Expects that the daemon serves other clients.
    func expectToServe(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let status = try await patiently { try await client.status() }
        #expect(status.version == "0.1.0", sourceLocation: sourceLocation)
    }

    /// Asks again if the server has cut the connection: a client that waits for a slot, or meets short limits, has two seconds for a
    /// request, which is not much on a busy machine.
    func patiently<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await ask()
            } catch ControlClientError.cutOff(_) where ContinuousClock.now < end {}
        }
    }

    /// One request, on a connection that ends with its answer.
    func ask(
        _ method: String = "GET", _ target: String, fields: [String] = [], body: String? = nil
    ) async throws -> HTTPAnswer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socket) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }
}

/// A response as it came; nothing where nothing came.
struct HTTPAnswer {
    let status: Int?
    private(set) var fields: [String: String] = [:]
    let body: String

    init(_ text: String) {
        // A line feed behind a carriage return is one character with it.
        let text = text.replacing("\r\n", with: "\n")
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n")
        status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2 { fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces) }
        }
        body = parts.count == 2 ? String(parts[1]) : ""
    }

    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(body.utf8)) }
}

extension ControlServer.Limits {
    /// For tests that are not about time: with a thousand others beside them a request may be long in coming.
    static var unhurried: ControlServer.Limits {
        var limits = ControlServer.Limits()
        limits.timeout = .seconds(60)
        limits.firstRequestTimeout = .seconds(60)
        return limits
    }
}
