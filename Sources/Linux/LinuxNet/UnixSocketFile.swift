// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A name in the file system at which a Unix socket listens.
///
/// The file belongs to this value: a file that a dead process left behind is replaced, that of a living process is not, and the file is
/// removed when its owner is destroyed. While a process claims or gives up a name, it holds a lock on a file beside it that only its user
/// may open, so that of two processes that start at once only one gets the name. Only users with the final permissions
/// get in, whatever the umask: a socket that does not listen yet refuses every connection.
package struct UnixSocketFile: ~Copyable, Sendable {
    package enum Kind: Sendable {
        /// A stream of octets.
        case stream
        /// Messages with preserved boundaries (SEQPACKET), for `UnixSocket`.
        case messages
    }

    package let listener: UnixListener
    private let name: UnixSocketName
    private let identity: UnixSocketName.Identity

    /// - Parameters:
    ///   - mode: The file's permissions.
    ///   - group: The file's group; `nil` leaves this process's own.
    package init(
        at path: String, _ kind: Kind, mode: UInt32 = 0o660, group: UInt32? = nil, backlog: Int32 = 4096
    ) throws(UnixSocketFileError) {
        guard let name = UnixSocketName(path) else { throw .badPath(path, maximum: UnixSocketName.maximumLength) }
        let claim: Claim
        do throws(SystemError) {
            claim = try Claim(name, kind, mode: mode, group: group, backlog: backlog)
        } catch {
            switch error.errno {
            case .EADDRINUSE: throw .taken(path)
            case .ENOTSOCK: throw .notASocket(path)
            default: throw .system(error)
            }
        }
        self.name = name
        identity = claim.identity
        listener = UnixListener(owning: claim.release())
    }

    deinit {
        // Without the lock, at worst the file remains, and the next process replaces it.
        let lock = try? name.lock()
        // The file may have been removed and replaced by another.
        if let current = try? name.identity(), current == identity { name.remove() }
        _ = consume lock
    }
}

/// A claimed name, with the socket that listens there.
private struct Claim: ~Copyable {
    let identity: UnixSocketName.Identity
    private let file: Descriptor

    init(
        _ name: UnixSocketName, _ kind: UnixSocketFile.Kind, mode: UInt32, group: UInt32?, backlog: Int32
    ) throws(SystemError) {
        let lock = try name.lock()
        let file = try kind.makeSocket()
        switch try name.occupant(kind) {
        case .nobody: break
        case .leftover: name.remove()
        case .alive: throw SystemError("bind", .EADDRINUSE)
        case .notASocket: throw SystemError("bind", .ENOTSOCK)
        }
        try name.bind(file)
        let identity: UnixSocketName.Identity
        do throws(SystemError) {
            try name.hand(to: group, mode: mode)
            identity = try name.identity()
            if listen(file.number, backlog) != 0 { throw .last("listen", what: name.path) }
        } catch {
            name.remove()
            throw error
        }
        self.identity = identity
        self.file = file
        _ = consume lock
    }

    consuming func release() -> Descriptor { file }
}

/// Why it is not possible to listen at a name, and what to do.
package enum UnixSocketFileError: Error, Hashable, Sendable {
    case taken(String)
    case notASocket(String)
    case badPath(String, maximum: Int)
    case system(SystemError)
}

extension UnixSocketFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .taken(let path): "\(path): another process listens there; end it, or choose another path"
        case .notASocket(let path): "\(path): there is a file that is no socket; remove it, or choose another path"
        case .badPath(let path, let maximum):
            "'\(path)': the path of a socket has from 1 to \(maximum) octets, none of them 0"
        case .system(let error): "\(error)"
        }
    }
}

extension UnixSocketFile.Kind {
    /// A socket that never blocks.
    fileprivate func makeSocket() throws(SystemError) -> Descriptor {
        let type =
            switch self {
            case .stream: SOCK_STREAM
            case .messages: SOCK_SEQPACKET
            }
        let number = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        if number < 0 { throw .last("socket(AF_UNIX)") }
        return Descriptor(owning: number)
    }
}

/// A lock on a name for as long as this value lives; the lock file is removed with it.
private struct NameLock: ~Copyable {
    let path: String
    let file: Descriptor

    deinit {
        // Removed while the lock is held: another process may create a new file, but notices that the name no longer refers to this one.
        _ = unsafe unlink(path)
    }
}

/// The path of a Unix socket, not longer than sockaddr_un allows.
private struct UnixSocketName: Sendable {
    static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    let path: String

    /// A name is locked only for a few system calls.
    private static let lockAttempts = 200
    private static let lockPause: UInt32 = 10_000

    init?(_ path: String) {
        guard (1...Self.maximumLength).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
        self.path = path
    }

    /// The kind of file at the path.
    enum Occupant {
        case nobody, leftover, alive, notASocket
    }

    struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    /// Prevents other processes of our user from claiming this name or giving it up.
    func lock() throws(SystemError) -> NameLock {
        let lock = path + ".lock"
        for _ in 1..<Self.lockAttempts {
            let file = try Descriptor.open(lock, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            var own = stat()
            if unsafe fstat(file.number, &own) != 0 { throw .last("fstat", what: lock) }
            // Another user that can open the file could hold a lock on it for ever.
            guard own.st_uid == geteuid(), own.st_mode & (S_IFMT | 0o077) == S_IFREG else {
                if unsafe unlink(lock) != 0 { throw .last("unlink", what: lock) }
                continue
            }
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
                var named = stat()
                let isThere = unsafe lstat(lock, &named) == 0
                if isThere, named.st_dev == own.st_dev, named.st_ino == own.st_ino {
                    return NameLock(path: lock, file: file)
                }
                // The previous holder of the lock has removed the file since it was opened.
                continue
            }
            if Errno.last != .EAGAIN { throw .last("flock", what: lock) }
            usleep(Self.lockPause)
        }
        throw SystemError("flock", .EAGAIN, what: lock)
    }

    func occupant(_ kind: UnixSocketFile.Kind) throws(SystemError) -> Occupant {
        var status = stat()
        if unsafe lstat(path, &status) != 0 {
            if Errno.last == .ENOENT { return .nobody }
            throw .last("lstat", what: path)
        }
        if status.st_mode & S_IFMT != S_IFSOCK { return .notASocket }
        let probe = try kind.makeSocket()
        if unsafe call(connect, probe) == 0 { return .alive }
        switch Errno.last {
        case .ECONNREFUSED: return .leftover
        // The socket listens but its backlog is full, or it is of another kind.
        case .EAGAIN, .EPROTOTYPE: return .alive
        default: throw .last("connect", what: path)
        }
    }

    func bind(_ file: borrowing Descriptor) throws(SystemError) {
        if unsafe call(Glibc.bind, file) != 0 { throw .last("bind", what: path) }
    }

    func hand(to group: UInt32?, mode: UInt32) throws(SystemError) {
        if unsafe chmod(path, mode) != 0 { throw .last("chmod", what: path) }
        if let group, unsafe chown(path, uid_t.max, group) != 0 { throw .last("chown", what: path) }
    }

    func identity() throws(SystemError) -> Identity {
        var status = stat()
        if unsafe lstat(path, &status) != 0 { throw .last("lstat", what: path) }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }

    func remove() {
        // If it cannot be removed, binding or the next start reports that.
        _ = unsafe unlink(path)
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ file: borrowing Descriptor
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, octet) in path.utf8.enumerated() { unsafe target[index] = octet }
        }
        return unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe function(
                file.number, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
