// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// An open file, socket or device, owned: it is closed when its owner is destroyed.
package struct Descriptor: ~Copyable, Sendable {
    /// The number, for calls that do not close it; valid as long as its owner lives.
    package let number: Int32

    /// Takes over an open descriptor; no other code may close it.
    package init(owning number: Int32) {
        precondition(number >= 0)
        self.number = number
    }

    deinit {
        // Linux frees the number even if close() reports an error, so close() is not retried.
        _ = Glibc.close(number)
    }

    /// Closes it now.
    package consuming func close() {}

    /// Gives the number away; the receiver closes it.
    package consuming func release() -> Int32 {
        let number = self.number
        discard self
        return number
    }

    /// Opens a file, close-on-exec.
    /// - Parameter mode: permissions of a new file, if the flags create one.
    package static func open(_ path: String, flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
        let number = retrying { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
        if number < 0 { throw .last("open", what: path) }
        return Descriptor(owning: number)
    }

    /// Opens a file for writing and truncates it, close-on-exec; creates it if it does not exist.
    /// - Parameters:
    ///   - flags: additional flags, such as O_APPEND.
    ///   - mode: permissions of a new file, before the umask is applied.
    package static func create(
        _ path: String, flags: Int32 = 0, mode: UInt32 = 0o666
    ) throws(SystemError) -> Descriptor {
        let number = retrying { unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flags, mode) }
        if number < 0 { throw .last("open", what: path) }
        return Descriptor(owning: number)
    }

    /// A second number for the same open file, close-on-exec.
    package borrowing func duplicate() throws(SystemError) -> Descriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        if copy < 0 { throw .last("fcntl(F_DUPFD_CLOEXEC)") }
        return Descriptor(owning: copy)
    }

    /// Whether it is a file of a file system, which never blocks.
    package var isRegularFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// The result of fstat; `nil` if it fails.
    package var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }

    /// Writes all of it.
    /// - Parameter path: for the error.
    package borrowing func write(_ contents: [UInt8], path: String? = nil) throws(SystemError) {
        try Self.writeAll(contents, to: number, path: path)
    }

    /// Writes all of it to a descriptor that the caller does not own.
    package static func writeAll(_ contents: [UInt8], to number: Int32, path: String? = nil) throws(SystemError) {
        var rest = contents[...]
        while !rest.isEmpty {
            let count = retrying {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
            if count < 0 { throw .last("write", what: path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes the contents of a regular file, at most `limit` octets, without copying them into this process's memory.
    /// - Returns: how many octets could be read.
    package borrowing func write(contentsOf file: borrowing Descriptor, limit: Int) throws(SystemError) -> Int {
        var offset: off_t = 0
        while offset < limit {
            let count = retrying { unsafe sendfile(number, file.number, &offset, limit - Int(offset)) }
            if count == 0 { break }
            if count < 0 {
                // Some file systems do not support sendfile. If one of the two files is at fault, this attempt fails too.
                let rest = (try? file.contents(from: Int(offset), limit: limit - Int(offset))) ?? []
                try write(rest)
                return Int(offset) + rest.count
            }
        }
        return Int(offset)
    }

    /// The contents of a file, a pipe or anything else that can be read to its end, at most `limit` octets.
    package static func contents(of path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
        try open(path, flags: O_RDONLY).contents(limit: limit, path: path)
    }

    /// The contents of a file whose path is untrusted, at most `limit` octets: opening it has no side effect and does not block. `nil` for
    /// anything but a regular file.
    package static func contents(ofRegularFile path: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let file = try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        return file.isRegularFile ? try file.contents(limit: limit, path: path) : nil
    }

    /// Reads from the current offset to the end.
    /// - Parameter path: for the error.
    package borrowing func contents(limit: Int = .max, path: String) throws(SystemError) -> [UInt8] {
        let number = number
        let contents = unsafe readToEnd(limit: limit, expecting: size ?? 0) { room, _ in
            retrying { unsafe Glibc.read(number, room.baseAddress, room.count) }
        }
        guard let contents else { throw .last("read", what: path) }
        return contents
    }

    /// The contents of a regular file from `offset` on, at most `limit` octets; the file's own offset does not change.
    package borrowing func contents(from offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
        let number = number
        let contents = unsafe readToEnd(limit: limit, expecting: limit <= 4096 ? limit : (size ?? 0) - offset) {
            room, position in
            let (place, isTooFar) = offset.addingReportingOverflow(position)
            if isTooFar { return 0 }
            return retrying { unsafe pread(number, room.baseAddress, room.count, place) }
        }
        guard let contents else { throw .last("read") }
        return contents
    }

    /// The size of a regular file as the kernel reports it: 0 for files in /proc.
    private var size: Int? { status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0.st_size : nil } }

    borrowing func setNonBlocking() throws(SystemError) {
        let flags = fcntl(number, F_GETFL)
        if flags < 0 || fcntl(number, F_SETFL, flags | O_NONBLOCK) < 0 { throw .last("fcntl(O_NONBLOCK)") }
    }
}

/// Calls `read` until it returns no more, or `limit` octets are read; `nil` if it fails.
///
/// The expected octets are read straight into the result. Reading a megabyte piecewise into a growing array costs a page fault for each
/// page of all its copies.
/// - Parameters:
///   - expected: expected number of octets, as far as it is known.
///   - read: gets the buffer and the number of octets read before; returns how many it has read, -1 for an error.
private func readToEnd(
    limit: Int, expecting expected: Int, _ read: (_ room: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
) -> [UInt8]? {
    // A file may claim to be larger than the memory.
    let reserved = max(0, min(limit, expected, 1 << 26))
    var hasEnded = limit <= 0
    var hasFailed = false
    var contents = unsafe [UInt8](unsafeUninitializedCapacity: reserved) { room, filled in
        while filled < room.count, !hasEnded {
            let count = unsafe read(
                UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[filled...])), filled)
            hasFailed = count < 0
            hasEnded = count <= 0
            filled += max(0, count)
        }
    }
    // Only a read that returns nothing shows that this was all.
    var piece: [UInt8] = []
    while !hasEnded, contents.count < limit {
        let isFirst = piece.isEmpty && reserved > 0
        if piece.count < 65_536 { piece = [UInt8](repeating: 0, count: isFirst ? 1024 : 65_536) }
        let wanted = min(piece.count, limit - contents.count)
        let count = unsafe piece.withUnsafeMutableBytes {
            unsafe read(UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), contents.count)
        }
        hasFailed = count < 0
        hasEnded = count <= 0
        contents += piece.prefix(max(0, count))
    }
    return hasFailed ? nil : contents
}

/// Repeats a system call that was interrupted by a signal.
@inline(always)
func retrying<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result < 0 && errno == EINTR { continue }
        return result
    }
}

extension Optional where Wrapped == Descriptor {
    /// The number of the descriptor, if there is one.
    package var number: Int32? {
        switch self {
        case .some(let file): file.number
        case .none: nil
        }
    }
}
