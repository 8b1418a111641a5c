// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Foundation
import NIOCore
import Testing
import Wire

@testable import World

@Suite("Programs as servers", .timeLimit(.minutes(5))) struct ProgramTests {
    private func shell(_ script: String) -> ServiceKind { .program(ServedProgram(command: ["sh", "-c", script])) }

    private func text(_ buffer: ByteBuffer) -> String { String(decoding: buffer.readableBytesView, as: UTF8.self) }

    @Test(arguments: [Loopback.ipv4, Loopback.ipv6])
    func `a connection is its program's standard input and output`(address: IPAddress) async throws {
        try await withService(.program(ServedProgram(command: ["cat"])), at: address) { service in
            let connection = try await service.connect()
            try await connection.send("hello")
            try await connection.finish()
            let answer = try await connection.receiveToEnd()
            #expect(text(answer) == "hello")
            try await connection.close()
        }
    }

    @Test func `each connection has a program of its own, which is told who is there`() async throws {
        try await withService(shell("echo $$ $PROTO $TCPLOCALIP $TCPLOCALPORT $TCPREMOTEIP")) { service in
            let one = try await service.exchange("").split(whereSeparator: \.isWhitespace)
            let other = try await service.exchange("").split(whereSeparator: \.isWhitespace)
            #expect(one.dropFirst() == ["TCP", "127.0.0.1", "\(service.port)", "127.0.0.1"])
            #expect(one.first != other.first)
        }
    }

    @Test func `a program has no descriptor of ours, no terminal, and no signal is kept from it`() async throws {
        let script = "ls /proc/self/fd | tr '\\n' ' '; grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f2 | sort -u"
        try await withService(shell(script)) { service in
            // The fourth is the folder itself.
            let answer = try await service.exchange("")
            #expect(answer == "0 1 2 3 0000000000000000\n")
        }
    }

    @Test func `what a program leaves behind ends with it`() async throws {
        try await withService(shell("setsid sleep 600 & echo $!")) { service in
            // Were the sleeper alive, it would hold the connection open.
            let answer = try await service.exchange("")
            let process = try #require(Int32(answer.trimmingCharacters(in: .newlines)))
            // It closes the connection as it ends; its keeper, which takes note of that, may need another moment.
            for _ in 0..<500 where kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(kill(process, 0) != 0)
        }
    }

    @Test func `when the servers stop, programs and all their children are gone`() async throws {
        let processes = try await withService(shell("(trap '' TERM HUP; sleep 600) & echo $$ $!; sleep 600")) {
            service in
            let connection = try await service.connect()
            let answer = try await connection.receive(atLeast: 3)
            return text(answer).split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        }
        #expect(processes.count == 2)
        for process in processes { #expect(kill(process, 0) != 0) }
    }

    @Test func `beyond the limit a connection waits for another to end`() async throws {
        try await withService(shell("date +%s%N; exec cat")) { service in
            var connections: [TestConnection] = []
            for _ in 0..<ProgramServers.limit {
                let connection = try await service.connect()
                _ = try await connection.receive(atLeast: 19)
                connections.append(connection)
            }
            let waiting = try await service.connect()
            let before = Date().timeIntervalSince1970
            try await connections[0].finish()
            let answer = try await waiting.receive(atLeast: 19)
            let started = try #require(Double(text(answer).prefix(19)))
            #expect(started / 1e9 >= before)
            for connection in connections + [waiting] { try await connection.close() }
        }
    }

    @Test func `a program that is not there is told before anybody connects`() async throws {
        let world = try Loopback.world(.program(ServedProgram(command: ["/nonexistent/server", "-i"])))
        let authority = try CertificateAuthority()
        #expect {
            _ = try HermeticServers.start(
                world, records: RecordStore([]), authority: authority, now: { .zero })
        } throws: { error in
            "\(error)"
                == "cannot offer run of host.test. at 127.0.0.1 port 0: /nonexistent/server: No such file or directory"
        }
    }
}
