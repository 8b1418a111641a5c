// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import LinuxNet
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(5))) struct ControlClientTests {
    @Test func `it understands all that the daemon says`() async throws {
        try await withAPI { api in
            let (client, daemon) = (api.client, api.daemon)
            let status = try await client.status()
            #expect(await daemon.status() == status)
            let clients = try await client.clients()
            #expect(await daemon.clients() == clients)
            let sessions = try await client.sessions(of: 1, limit: 10)
            #expect(try await daemon.sessions(of: 1, limit: 10) == sessions)
            let oneSession = try await client.sessions(of: 1, limit: 1)
            #expect(oneSession.items.count == 1 && oneSession.total == 2)
            let bindings = try await client.bindings(of: 2, limit: 10)
            #expect(try await daemon.bindings(of: 2, limit: 10) == bindings)
            let counters = try await client.counters()
            #expect(await daemon.counters() == counters.items)
            let prefix = try await client.prefix()
            #expect(await daemon.prefix() == prefix)
        }
    }

    @Test func `it reads the log from any line on`() async throws {
        try await withAPI { api in
            let client = api.client
            let latest = try await client.dnsLog(since: nil, limit: 3, client: nil)
            #expect(latest.items.map(\.number) == [998, 999, 1000])
            #expect(latest.next == 1001)
            #expect(latest.items.first?.time == FakeDaemon.start)
            let early = try await client.dnsLog(since: 1, limit: 2, client: 2)
            #expect(early.items.map(\.number) == [101, 102])
            #expect(early.items.first?.client == 2)
            #expect(early.lost == 100)
            #expect(early.next == 103)
        }
    }

    @Test func `what it changes is changed`() async throws {
        try await withAPI { api in
            let (client, daemon) = (api.client, api.daemon)
            let fault = try await client.addFault("www.shop.test A any any rcode SERVFAIL")
            #expect(fault == FaultEntry(id: 2, fault: "www.shop.test A any any rcode SERVFAIL"))
            #expect(await daemon.faults().items.map(\.id) == [1, 2])
            try await client.removeFault(1)
            let faults = try await client.faults()
            #expect(faults == Listing([fault]))
            try await client.removeAllFaults()
            #expect(await daemon.faults() == Listing([]))
            let setting = try await client.changePrefix(to: "2001:db8::/96")
            #expect(setting.pref64 == "2001:db8::/96")
            #expect(await daemon.prefix() == setting)
        }
    }

    @Test func `a refusal carries the daemon's words`() async throws {
        try await withAPI { api in
            await #expect(
                throws: ControlClientError.refused(status: 400, detail: "a fault is NAME TYPE TRANSPORT NUMBERS EFFECT")
            ) { try await api.client.addFault("drop") }
            await #expect(throws: ControlClientError.refused(status: 404, detail: "there is no fault 9")) {
                try await api.client.removeFault(9)
            }
        }
    }

    @Test func `a missing daemon is an error that says what to do`() async throws {
        let missing = ControlClient(socket: "/nonexistent/control.sock")
        let error = await #expect(throws: ControlClientError.self) { try await missing.status() }
        #expect(error == .noDaemon(socket: "/nonexistent/control.sock", reason: "No such file or directory"))
        #expect(error?.description.contains("nat64sim serve") == true)
        let long = ControlClient(socket: String(repeating: "x", count: 200))
        await #expect(throws: ControlClientError.self) { try await long.status() }
    }

    @Test func `a daemon that says nothing is given up`() async throws {
        try await withAPI { api in
            await api.daemon.getStuck()
            let client = ControlClient(socket: api.socket, timeout: .seconds(2))
            await #expect(throws: ControlClientError.silent(socket: api.socket, .seconds(2))) {
                try await client.status()
            }
        }
    }

    @Test(arguments: [
        "SSH-2.0-nothing\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 500 No\r\n\r\n", "",
    ])
    func `what is no daemon is not understood`(answer: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "impostor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Impostor(answer: answer))
                }
            }
            .bind(unixDomainSocketPath: path).get()
        let error = await #expect(throws: ControlClientError.self) { try await ControlClient(socket: path).status() }
        #expect(error == .notUnderstood(socket: path) || error == .cutOff(socket: path))
        try await server.close()
    }
}

/// Sends its answer at the first octets of a request, and closes.
private final class Impostor: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String

    init(answer: String) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }
}
