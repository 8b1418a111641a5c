// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import LinuxNet
import Testing
import Wire

@testable import Daemon

struct ServingMessagesTests {
    @Test func `orders and news come across with their texts`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.first)
        let process = AttachChannel(pair.second)
        let orders: [ServingOrder] =
            [.begin, .file(path: "/a \"b\".yaml"), .reload, .unreadable(reason: "no \u{1b}"), .destinations]
            + HeldDescriptors.Kind.allCases.map { .hold($0) }
        for order in orders {
            let isSent = daemon.send(order)
            #expect(isSent)
            guard case .message(let received, nil) = process.receive(ServingOrder.self, until: .zero) else {
                Issue.record("no message: \(order)")
                continue
            }
            #expect(received == order)
        }
        for news in [ServingNews.ready, .failed(reason: "no"), .reloaded, .kept] {
            let isSent = process.send(news)
            #expect(isSent)
            guard case .message(let received, nil) = daemon.receive(ServingNews.self, until: .zero) else {
                Issue.record("no message: \(news)")
                continue
            }
            #expect(received == news)
        }
    }

    @Test(arguments: ["x", "\u{0}", "\u{1b}", "e\u{301}\u{301}\u{301}", "\u{1F468}\u{200D}\u{1F469}"])
    func `a reason of any length is told`(_ piece: String) throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.first)
        let reason = String(repeating: piece, count: 100_000)
        let process = AttachChannel(pair.second)
        let isSent = process.send(ServingNews.failed(reason: reason.asReason))
        #expect(isSent)
        guard case .message(.failed(let told), nil) = daemon.receive(ServingNews.self, until: .zero) else {
            Issue.record("no message")
            return
        }
        #expect(told.utf8.count > 8000)
    }

    @Test func `what is handed over is held until all is there`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.first)
        let file = try MemoryFile.make([1, 2, 3])
        daemon.send(ServingOrder.hold(.queries), descriptor: file.number)
        daemon.send(ServingOrder.begin)
        var held = HeldDescriptors(from: AttachChannel(pair.second))!
        let queries = held.queries.take()!
        #expect(try MemoryFile.contents(of: queries) == [1, 2, 3])
    }

    @Test func `a daemon that hangs up hands nothing over`() throws {
        let pair = try UnixSocket.pair()
        let process = AttachChannel(pair.second)
        _ = consume pair.first
        switch HeldDescriptors(from: process) {
        case .some: Issue.record("something was handed over")
        case nil: break
        }
    }
}
