// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing

@Suite struct AbstractSocketTests {
    private let name = "ipv6check-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"

    /// Sends one datagram to the abstract name; whether it was taken.
    private func send(_ octets: [UInt8]) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0[1...].copyBytes(from: Array(name.utf8)) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let sent = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe sendto(
                descriptor, octets, octets.count, Int32(MSG_DONTWAIT),
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
        }
        return sent == octets.count
    }

    @Test func `what is sent to the name is received`() throws {
        let socket = try AbstractSocket.bind(name)
        var buffer = [UInt8](repeating: 0xa5, count: 8)
        var space = buffer.mutableSpan
        #expect(socket.receive(into: &space) == .wouldBlock)
        #expect(send([1, 2, 3]))
        #expect(send([]))
        #expect(socket.receive(into: &space) == .datagram(length: 3))
        #expect(socket.receive(into: &space) == .datagram(length: 0))
        #expect(socket.receive(into: &space) == .wouldBlock)
        #expect(buffer == [1, 2, 3, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5])
    }

    @Test func `a long datagram is cut and its length told`() throws {
        let socket = try AbstractSocket.bind(name)
        #expect(send([UInt8](1...20)))
        var buffer = [UInt8](repeating: 0, count: 4)
        var space = buffer.mutableSpan
        #expect(socket.receive(into: &space) == .datagram(length: 20))
        #expect(buffer == [1, 2, 3, 4])
    }

    @Test func `the name goes with the socket and is nobody else's until then`() throws {
        do {
            let socket = try AbstractSocket.bind(name)
            #expect(throws: SystemError("bind", .EADDRINUSE, what: "@" + name)) {
                try AbstractSocket.bind(name).descriptor
            }
            #expect(socket.descriptor > 2)
        }
        #expect(!send([1]))
        let again = try AbstractSocket.bind(name)
        #expect(again.descriptor > 2)
    }

    @Test func `a name that is too long is refused`() {
        let long = String(repeating: "n", count: 108)
        #expect(throws: SystemError("bind", .ENAMETOOLONG, what: "@" + long)) {
            try AbstractSocket.bind(long).descriptor
        }
    }
}
