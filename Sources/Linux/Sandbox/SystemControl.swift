// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import LinuxNet

/// The kernel's settings and status: small files under /proc.
package enum SystemControl {
    /// The file's first 4 KB without the trailing newline; `nil` if it does not exist, or is not readable.
    package static func read(_ path: String) -> String? {
        guard let file = try? Descriptor.open(path, flags: O_RDONLY) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file.number, $0.baseAddress, $0.count) }
        if count < 0 { return nil }
        var text = String(decoding: buffer.prefix(count), as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    package static func write(_ value: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, flags: O_WRONLY).write(Array(value.utf8), path: path)
    }

    /// The value of `name:` in /proc/self/status.
    static func status(_ name: String) -> String? {
        read("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).drop { $0.isWhitespace } }.map(String.init)
    }

    /// Whether the owner of this setting's namespace may change it: in our own namespace the file becomes ours, unless the whole of
    /// /proc/sys is mounted read-only, as in most containers.
    static func canChange(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 || Errno(errno) != Errno(EROFS)
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
