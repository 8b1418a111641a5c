// SPDX-License-Identifier: Apache-2.0
internal import LinuxNet

/// One direction of a connection: forwards the octets of one socket to another, and the end as well.
struct ByteStream {
    /// Holds octets that the target has not accepted yet; `nil` if there are none.
    private var pipe: PipePool.Box?
    private var hasEnded = false
    /// The end has been forwarded.
    private(set) var isFinished = false

    /// The events that it waits for.
    var wantsInput: Bool { pipe == nil && !hasEnded }
    var wantsRoom: Bool { pipe != nil }

    /// Maximum number of rounds before other connections get their turn.
    private static let mostRounds = 16

    /// Forwards the available octets.
    /// - Returns: false if the connection has failed.
    mutating func move(
        from source: borrowing StreamSocket, to target: borrowing StreamSocket, through pipes: PipePool
    ) -> Bool {
        if isFinished { return true }
        for _ in 0..<Self.mostRounds {
            guard let box = pipe ?? (try? pipes.take()) else { return false }
            if box.pipe.count == 0, !hasEnded {
                switch box.pipe.fill(from: source) {
                case .moved: break
                case .end: hasEnded = true
                case .wouldBlock:
                    release(box, to: pipes)
                    return true
                case .failed: return false
                }
            }
            if box.pipe.count > 0 {
                pipe = box
                switch box.pipe.empty(into: target) {
                case .moved: if box.pipe.count > 0 { continue }
                case .wouldBlock: return true
                case .end, .failed: return false
                }
            }
            release(box, to: pipes)
            if hasEnded {
                target.finishWriting()
                isFinished = true
                return true
            }
        }
        return true
    }

    private mutating func release(_ box: PipePool.Box, to pipes: PipePool) {
        pipe = nil
        pipes.give(back: box)
    }
}
