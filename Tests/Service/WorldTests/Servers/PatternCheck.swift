// SPDX-License-Identifier: Apache-2.0
import NIOCore

@testable import World

/// Compares what comes, part by part, with the pattern of `/bytes/N`.
struct PatternCheck {
    private(set) var count = 0
    private(set) var isIntact = true

    mutating func add(_ part: ByteBuffer) {
        var part = part
        while part.readableBytes > 0 {
            let chunk = BytePattern.chunk
            let phase = count % BytePattern.period
            let length = min(part.readableBytes, chunk.readableBytes - phase)
            let expected = chunk.getSlice(at: phase, length: length)
            if part.readSlice(length: length) != expected { isIntact = false }
            count += length
        }
    }
}

/// Sends the first `count` octets of the pattern.
func sendPattern(_ count: Int, over connection: TestConnection) async throws {
    var rest = count
    while rest > 0 {
        let part = BytePattern.chunk.getSlice(at: 0, length: min(rest, BytePattern.chunk.readableBytes))!
        try await connection.send(part)
        rest -= part.readableBytes
    }
}
