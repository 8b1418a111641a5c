// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// A pipe that moves octets from one socket to another without copying them into this process's memory (splice(2)).
struct SplicePipe: ~Copyable {
    private let reading: Descriptor
    private let writing: Descriptor
    /// Number of octets in the pipe.
    private(set) var count = 0

    /// Maximum octets per call; a pipe accepts as many as it has room for.
    private static let most = 1 << 20

    init() throws(SystemError) {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        if unsafe clinux_pipe(&reading, &writing) != 0 { throw SystemError("pipe2", Errno(errno)) }
        self.reading = Descriptor(owning: reading)
        self.writing = Descriptor(owning: writing)
    }

    enum Result: Hashable {
        case moved
        case wouldBlock
        /// The source has reached its end.
        case end
        case failed(Errno)
    }

    mutating func fill(from socket: borrowing StreamSocket) -> Result {
        let result = clinux_splice(socket.descriptor, writing.number, Self.most)
        if result > 0 { count += result }
        return Self.result(result)
    }

    mutating func empty(into socket: borrowing StreamSocket) -> Result {
        let result = clinux_splice(reading.number, socket.descriptor, Self.most)
        if result > 0 { count -= result }
        return Self.result(result)
    }

    private static func result(_ count: Int) -> Result {
        if count > 0 { return .moved }
        if count == 0 { return .end }
        return errno == EAGAIN ? .wouldBlock : .failed(Errno(errno))
    }
}

/// Unused pipes: a connection has one only while it holds octets that the other side does not accept.
final class PipePool {
    private var idle: [Box] = []

    private static let most = 16

    /// Needed as an array cannot hold a noncopyable pipe.
    final class Box {
        var pipe: SplicePipe
        init(_ pipe: consuming SplicePipe) { self.pipe = pipe }
    }

    func take() throws(SystemError) -> Box {
        if let box = idle.popLast() { return box }
        return Box(try SplicePipe())
    }

    /// Returns an empty pipe.
    func give(back box: Box) {
        if idle.count < Self.most { idle.append(box) }
    }
}
