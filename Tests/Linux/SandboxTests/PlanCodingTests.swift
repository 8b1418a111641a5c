// SPDX-License-Identifier: Apache-2.0
import Topology
import Testing
import Wire

@testable import LinuxNet
@testable import Sandbox

@Suite struct `A client's plan` {
    static let plan = ClientPlan(
        program: "/bin/sh", arguments: [OSString([0xff, 0x00, 0x80]), ""],
        environment: Environment(entries: ["A=1", "B"]),
        network: ClientNetwork(
            interface: "eth0", mtu: 1280,
            ipv4: .init(address: IPv4Address("192.0.2.2")!, prefixLength: 24, gateway: IPv4Address("192.0.2.1")!),
            ipv6: .init(address: IPv6Address("2001:db8::2")!, prefixLength: 64, gateway: IPv6Address("fe80::1")!)),
        files: [
            ShownFile(
                paths: ["/a", "/b"],
                beginning: .init(path: "/d", identity: FileIdentity(device: 1, inode: 2, changed: -3)),
                contents: [1, 2, 3], isOptional: true)
        ],
        maskedSockets: ["/c"],
        socketName: "evidence", recordsClosedSockets: true, servedPorts: [5432, 65535], isNetworkHeld: true,
        inheritance: Inheritance(
            arguments: ["x"], environment: Environment(entries: []), ignoredSignals: [.hangUp],
            blockedSignals: [.child],
            descriptors: [3, 9],
            capabilities: CapabilitySets(effective: 1, permitted: 2, inheritable: 3, ambient: 4, bounding: .max)))

    @Test func `is read as it was written`() throws {
        #expect(try ClientPlan(decoding: Self.plan.encoded) == Self.plan)
        var other = Self.plan
        other.network.ipv4 = nil
        other.files = []
        #expect(try ClientPlan(decoding: other.encoded) == other)
    }

    @Test func `is refused wherever it is cut off, and with anything behind it`() {
        let bytes = Self.plan.encoded
        for length in bytes.indices {
            #expect(throws: PlanReader.Malformed.self) { try ClientPlan(decoding: Array(bytes.prefix(length))) }
        }
        #expect(throws: PlanReader.Malformed.self) { try ClientPlan(decoding: bytes + [0]) }
    }

    @Test func `is refused or read, but never a trap, whatever octet is changed`() {
        let bytes = Self.plan.encoded
        for index in bytes.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                var changed = bytes
                changed[index] = value
                _ = try? ClientPlan(decoding: changed)
            }
        }
    }
}

@Suite struct `The control channel` {
    @Test func `carries an error with its remedy`() throws {
        let pair = try UnixSocket.pair()
        let first = ControlChannel(pair.first)
        let second = ControlChannel(pair.second)
        for error in [SandboxError(.link, "a “reason”", remedy: "sudo it"), SandboxError(.files, "")] {
            #expect(first.send(error) == true)
            guard case .failed(let received) = second.receive() else {
                Issue.record("no error came")
                return
            }
            #expect(received == error)
        }
    }

    @Test func `ends at what makes no sense`() throws {
        for bytes in [[0], [2, 0, 0, 0], [2, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9], [1, 0, 0, 0], [99, 0, 0, 0]] as [[UInt8]]
        {
            let pair = try UnixSocket.pair()
            try pair.first.send(bytes.span)
            let second = ControlChannel(pair.second)
            guard case .closed = second.receive() else {
                Issue.record("\(bytes) was taken for a message")
                return
            }
        }
    }
}
