// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Suites
import TestResults

/// The pipe of a client's standard output or error. Everything is read, so that the client is not blocked; the kept part is bounded.
final class OutputPipe {
    private var reader: Descriptor?
    private var writer: Descriptor?
    /// The first octets, at most `startLimit`.
    private var start: [UInt8] = []
    /// The last octets after these, at most twice `endLimit`.
    private var end: [UInt8] = []
    /// The number of octets between `start` and `end`.
    private var omitted = 0
    /// A memory file with the whole stream, up to `ResultsFormat.sizeLimit` + 1 octets; `nil` if it is not wanted.
    private let copy: Descriptor?
    private var copied = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Octets at the start that expectations can match.
    static let startLimit = 1 << 20
    /// Octets that are kept of the end of a longer stream, at least; twice as many at most.
    static let endLimit = 16_384
    /// Maximum number of reads per call of `read`: a client that never stops writing must not delay the others.
    private static let turn = 16

    /// - Parameter isCopied: whether the whole stream is wanted, and not only its start and end.
    init(isCopied: Bool = false) throws(SystemError) {
        copy = isCopied ? try MemoryFile.make([]) : nil
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemError("pipe", Errno(errno)) }
        // This process has only one thread, so no other can start a program before the flag is set.
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
        // At most 4096 reads of 64 KiB: the pipe's writers have ended with the client, but a process that escaped could keep writing.
        for _ in 0..<4096 where !readOnce() { break }
        reader = nil
    }

    /// Reads once. Returns whether there may be more to read.
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

    /// Another descriptor of the memory file with the whole stream, up to one octet more than a report's limit; `nil` if it was not wanted.
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
            do throws(SystemError) {
                try copy.write(Array(wanted))
                copied += wanted.count
            } catch {
                // There is no memory for more. The copy ends here, which its reader takes for an incomplete report; what comes later would
                // not follow on from it.
                copied = ResultsFormat.sizeLimit + 1
            }
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
