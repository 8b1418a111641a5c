// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Suites
import TestResults

/// The pipe of a client's standard output or error. Everything is read, so that the client is not blocked; the kept part is bounded.
final class OutputPipe {
    private var reader: Descriptor?
    private var writer: Descriptor?
    private var start: [UInt8] = []
    private var end: [UInt8] = []
    private var omitted = 0
    /// The whole stream, up to a limit; `nil` if it is not wanted.
    private let copy: Descriptor?
    private var copied = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Octets at the start that expectations can match.
    static let startLimit = 1 << 20
    /// Octets that are shown of the end of a longer stream.
    static let endLimit = 16_384
    /// Limit of reads in a row, so that a client that never stops writing does not delay the others.
    private static let turn = 16

    /// - Parameter isCopied: whether the whole stream is wanted, and not only its start and end.
    init(isCopied: Bool = false) throws(SystemError) {
        copy = isCopied ? try MemoryFile.make([]) : nil
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemError("pipe", Errno(errno)) }
        // This process has only one thread, so none can start a program in between.
        for number in ends { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        reader = Descriptor(owning: ends[0])
        writer = Descriptor(owning: ends[1])
    }

    /// The writing end, for the client; -1 after it was closed here.
    var writingDescriptor: Int32 {
        switch writer {
        case .some(let writer): writer.number
        case nil: -1
        }
    }

    /// Closes this process's copy of the writing end, when the client has its own.
    func closeWritingEnd() { writer = nil }

    /// -1 once everything has been read.
    var descriptor: Int32 {
        switch reader {
        case .some(let reader): reader.number
        case nil: -1
        }
    }

    /// Reads the available octets.
    func read() { for _ in 0..<Self.turn where !readOnce() { return } }

    /// Reads the remaining octets, and closes.
    func finish() {
        // Bounded, although the pipe's writers have ended with the client.
        for _ in 0..<4096 where !readOnce() { break }
        reader = nil
    }

    /// Whether there may be more.
    private func readOnce() -> Bool {
        let number = descriptor
        guard number >= 0 else { return false }
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        if count > 0 {
            keep(buffer[..<count])
            return true
        }
        if count < 0, errno == EINTR { return true }
        if count < 0, errno == EAGAIN { return false }
        reader = nil
        return false
    }

    /// The whole stream, up to one octet more than a report's limit; `nil` if it was not wanted.
    func takeCopy() throws(SystemError) -> Descriptor? {
        switch copy {
        case .some(let copy): try copy.duplicate()
        case nil: nil
        }
    }

    private func copy(_ octets: ArraySlice<UInt8>) {
        let wanted = octets.prefix(ResultsFormat.sizeLimit + 1 - copied)
        guard !wanted.isEmpty else { return }
        switch copy {
        case .some(let copy):
            // Out of memory the copy ends here, and the report shows that.
            try? copy.write(Array(wanted))
            copied += wanted.count
        case nil: break
        }
    }

    private func keep(_ octets: ArraySlice<UInt8>) {
        copy(octets)
        let room = Self.startLimit - start.count
        start += octets.prefix(room)
        end += octets.dropFirst(room)
        guard end.count > 2 * Self.endLimit else { return }
        omitted += end.count - Self.endLimit
        end.removeFirst(end.count - Self.endLimit)
    }

    var text: CapturedText {
        CapturedText(
            String(decoding: start, as: UTF8.self), omitted: omitted, end: String(decoding: end, as: UTF8.self))
    }
}
