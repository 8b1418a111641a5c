// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import LinuxNet
internal import Synchronization
package import Wire

/// A folder that is deleted when it is no longer needed, however this process ends.
///
/// Theory of operation. A shell in its own process group waits for the end of its standard input, and then deletes the folder. The
/// other end of that stream is the lease: this process holds it, and may pass it to the keepers of programs that use the folder.
package final class LeasedFolder: Sendable {
    package let path: String
    /// Valid until `delete` is called.
    package let lease: Int32
    private let held: Mutex<Descriptor?>
    private let cleaner: Int32

    /// Makes a new folder in `parent`, which other users can traverse but not list.
    package init(in parent: String) throws(SystemError) {
        var template = Array("\(parent)/ipv6check-XXXXXX".utf8CString)
        if unsafe mkdtemp(&template) == nil { throw SystemError("mkdtemp", Errno(errno), what: parent) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(SystemError) {
            if unsafe chmod(path, 0o711) != 0 { throw SystemError("chmod", Errno(errno), what: path) }
            let pair = try StreamPair()
            let null = try Descriptor.open("/dev/null", flags: O_RDWR)
            var spawning = Spawning(
                "/bin/sh",
                arguments: ["sh", "-c", "trap '' HUP INT QUIT TERM; read -r _; exec rm -rf -- \"$1\"", "sh", path].map {
                    OSString($0)
                })
            spawning.descriptors = [
                (STDIN_FILENO, pair.second.number), (STDOUT_FILENO, null.number), (STDERR_FILENO, null.number),
            ]
            spawning.hasOwnGroup = true
            cleaner = try spawning.start()
            let own = try pair.first.duplicate()
            lease = own.number
            held = Mutex(own)
        } catch {
            _ = unsafe rmdir(path)
            throw error
        }
    }

    /// Whether every user can traverse all folders of an absolute path.
    package static func isPassable(_ path: String) -> Bool {
        var rest = path[...]
        while !rest.isEmpty {
            var status = stat()
            guard unsafe stat(String(rest), &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
            rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
        }
        return path.hasPrefix("/")
    }

    /// Makes a folder in it, for this user only.
    package func makeFolder(_ name: String) throws(SystemError) -> String {
        let folder = "\(path)/\(name)"
        if unsafe mkdir(folder, 0o700) != 0 { throw SystemError("mkdir", Errno(errno), what: folder) }
        return folder
    }

    /// Gives the lease back, and waits until the folder is deleted, at most until the deadline if keepers still hold the lease.
    package func delete(until deadline: Instant) {
        guard held.withLock({ $0.take() != nil }) else { return }
        while waitpid(cleaner, nil, WNOHANG) == 0, MonotonicClock.now() < deadline { usleep(1000) }
    }

    deinit { delete(until: MonotonicClock.now() + .seconds(5)) }
}
