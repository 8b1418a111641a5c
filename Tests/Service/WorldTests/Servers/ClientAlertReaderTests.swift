// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import World

@Suite struct ClientAlertReaderTests {
    private static let hello: [UInt8] = [22, 3, 1, 0, 3, 1, 2, 3]
    private static let change: [UInt8] = [20, 3, 3, 0, 1, 1]

    private func alerts(_ parts: [[UInt8]]) -> [UInt8] {
        let reader = ClientAlertReader()
        return parts.compactMap { reader.read(ByteBuffer(bytes: $0))?.number }
    }

    @Test func `an alert in plain text is found behind other records, however they are cut`() {
        let stream = Self.hello + Self.change + [21, 3, 3, 0, 2, 2, 42]
        for cut in 0...stream.count {
            #expect(alerts([Array(stream[..<cut]), Array(stream[cut...])]) == [42])
        }
        #expect(alerts(stream.map { [$0] }) == [42])
    }

    @Test(
        arguments: [
            [21, 3, 3, 0, 2, 1, 0],  // a warning
            [21, 3, 3, 0, 26, 2, 42],  // behind keys, in TLS 1.2
            [23, 3, 3, 0, 2, 2, 42],  // data
            [22, 3, 3, 0, 7, 21, 3, 3, 0, 2, 2, 42],  // inside another
            [21, 3, 3, 0, 2, 2],  // not all of it
        ] as [[UInt8]])
    func `nothing else is taken for one`(octets: [UInt8]) {
        #expect(alerts([Self.hello, octets]).isEmpty)
    }

    @Test func `it ends with the handshake`() {
        let empty: [[UInt8]] = Array(repeating: [22, 3, 3, 0, 0], count: 16)
        #expect(alerts(empty.dropLast() + [[21, 3, 3, 0, 2, 2, 48]]) == [48])
        #expect(alerts(empty + [[21, 3, 3, 0, 2, 2, 48]]).isEmpty)
    }
}
