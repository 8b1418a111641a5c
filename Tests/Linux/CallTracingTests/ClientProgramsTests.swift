// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import CallTracing

@Suite struct `Of a trace` {
    private static let address = IPAddress.ipv4(IPv4Address(192, 0, 2, 1))

    /// A stage (0) that starts a server (1, with a child 2) and the client (3, which becomes 4 and has a child 5).
    private var trace: Trace {
        var trace = Trace()
        trace.evidence.programs = [
            TracedProgram(process: 2, executable: "/stage"),
            TracedProgram(process: 3, parent: 0, executable: "/server"),
            TracedProgram(process: 4, parent: 1, executable: "/worker"),
            TracedProgram(process: 5, parent: 0, executable: "/bin/sh"),
            TracedProgram(process: 5, parent: 3, executable: "/client"),
            TracedProgram(process: 6, parent: 4, executable: "/child"),
        ]
        trace.environments = (0..<6).map { [UInt8($0)] }
        trace.evidence.calls = (0..<6).map { program in
            TracedCall(
                .connect, .address(.ip(Self.address, port: UInt16(program)), length: 16, on: nil), .pending,
                program: program)
        }
        trace.stacks = [0, nil, 2, 3, nil, 5]
        trace.evidence.openedFiles = [
            OpenedFile(path: "/server.conf", program: 1, time: .zero),
            OpenedFile(path: "/client.conf", program: 5, time: .zero),
        ]
        trace.evidence.announced = [
            AnnouncedCall(program: 2, host: "a", port: 1, frames: []),
            AnnouncedCall(program: 4, host: "b", port: 1, frames: []),
        ]
        return trace
    }

    @Test func `the client and what descends from it stay, and the client is the first program`() {
        var trace = trace
        trace.keep(from: 3)
        #expect(trace.evidence.programs.map(\.executable) == ["/bin/sh", "/client", "/child"])
        #expect(trace.evidence.programs.map(\.parent) == [nil, 0, 1])
        #expect(trace.environments == [[3], [4], [5]])
        #expect(trace.evidence.calls.map(\.program) == [0, 1, 2])
        #expect(trace.evidence.calls.map(\.address?.port) == [3, 4, 5])
        #expect(trace.stacks == [3, nil, 5])
        #expect(trace.evidence.openedFiles == [OpenedFile(path: "/client.conf", program: 2, time: .zero)])
        #expect(trace.evidence.announced == [AnnouncedCall(program: 1, host: "b", port: 1, frames: [])])
    }

    @Test func `nothing stays of a client that did not begin`() {
        var trace = trace
        trace.keep(from: nil)
        #expect(trace.evidence.programs.isEmpty && trace.evidence.calls.isEmpty && trace.stacks.isEmpty)
        #expect(trace.evidence.openedFiles.isEmpty && trace.environments.isEmpty)
    }
}
