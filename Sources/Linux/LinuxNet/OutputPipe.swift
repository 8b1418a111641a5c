// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The pipe of a program's standard output or error. Everything is read, so that the program is not blocked; the kept part is bounded.
package final class OutputPipe {
    private var reader: Descriptor?
    private var writer: Descriptor?
    /// The first octets.
    package private(set) var start: [UInt8] = []
    /// The last octets after these, at most twice the limit.
    package private(set) var end: [UInt8] = []
    /// The number of octets between `start` and `end`.
    package private(set) var omitted = 0
    private let startLimit: Int
    private let endLimit: Int
    /// A memory file with the whole stream, up to `copyLimit` octets; `nil` if it is not wanted.
    private let copy: Descriptor?
    private let copyLimit: Int
    private var copied = 0
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Maximum number of reads per call of `read`: a program that never stops writing must not delay the others.
    private static let turn = 16

    /// - Parameters:
    ///   - startLimit: octets that are kept of the start.
    ///   - endLimit: octets that are kept of the end of a longer stream, at least; twice as many at most.
    ///   - copyLimit: octets of the whole stream that are copied to a memory file; `nil` if that is not wanted.
    package init(start startLimit: Int, end endLimit: Int, copy copyLimit: Int? = nil) throws(SystemError) {
        (self.startLimit, self.endLimit, self.copyLimit) = (startLimit, endLimit, copyLimit ?? 0)
        copy = copyLimit == nil ? nil : try MemoryFile.make([])
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard unsafe clinux_pipe(&reading, &writing) == 0 else { throw .last("pipe2") }
        // A program's writes wait.
        _ = fcntl(writing, F_SETFL, 0)
        reader = Descriptor(owning: reading)
        writer = Descriptor(owning: writing)
    }

    /// The writing end, for the program; -1 after it was closed here.
    package var writingDescriptor: Int32 {
        switch writer {
        case .some(let writer): writer.number
        case nil: -1
        }
    }

    /// Closes this process's copy of the writing end, when the program has its own.
    package func closeWritingEnd() { writer = nil }

    /// -1 once everything has been read.
    package var descriptor: Int32 {
        switch reader {
        case .some(let reader): reader.number
        case nil: -1
        }
    }

    /// Reads the available octets.
    package func read() { for _ in 0..<Self.turn where !readOnce() { return } }

    /// Reads the remaining octets, and closes.
    package func finish() {
        // At most 4096 reads of 64 KiB: the pipe's writers have ended with the program, but a process that escaped could keep writing.
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

    /// Another descriptor of the memory file with the whole stream, up to its limit; `nil` if it was not wanted.
    package func takeCopy() throws(SystemError) -> Descriptor? {
        switch copy {
        case .some(let copy): try copy.duplicate()
        case nil: nil
        }
    }

    private func copy(_ octets: ArraySlice<UInt8>) {
        let wanted = octets.prefix(copyLimit - copied)
        guard !wanted.isEmpty else { return }
        switch copy {
        case .some(let copy):
            do throws(SystemError) {
                try copy.write(Array(wanted))
                copied += wanted.count
            } catch {
                // There is no memory for more. The copy ends here, which its reader takes for an incomplete report; what comes later would
                // not follow on from it.
                copied = copyLimit
            }
        case nil: break
        }
    }

    private func keep(_ octets: ArraySlice<UInt8>) {
        copy(octets)
        let room = startLimit - start.count
        start += octets.prefix(room)
        end += octets.dropFirst(room)
        guard end.count > 2 * endLimit else { return }
        omitted += end.count - endLimit
        end.removeFirst(end.count - endLimit)
    }
}
