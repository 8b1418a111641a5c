// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import Glibc
import SystemPackage

/// Timeout for data of a named pipe, in milliseconds.
private let silence: Int32 = 10_000

private struct SilentPipe: Error {}

/// The octets of a file; for a file of more than `maximum` octets, enough to show that it is too long.
package func readFile(_ path: String, maximum: Int) throws(YAMLFileError) -> [UInt8] {
    do {
        // Non-blocking: otherwise opening a named pipe would wait for its writer, which may never come.
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        return try descriptor.closeAfter {
            var octets: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while octets.count <= maximum {
                var waiting = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
                // /dev/stdin and /dev/fd/N, as a shell's <(…) is called, have a writer, which may take as long as it needs: no timeout.
                let ready = unsafe poll(&waiting, 1, path.hasPrefix("/dev/") ? -1 : silence)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { throw SilentPipe() }
                let count = try unsafe chunk.withUnsafeMutableBytes { buffer in
                    try unsafe descriptor.read(into: buffer)
                }
                if count == 0 { break }
                octets += chunk.prefix(count)
            }
            return octets
        }
    } catch is SilentPipe {
        throw YAMLFileError(file: path, "this is a pipe, and nothing has come through it for 10 s")
    } catch Errno.noSuchFileOrDirectory {
        throw YAMLFileError(file: path, "there is no such file")
    } catch Errno.isDirectory {
        throw YAMLFileError(file: path, "this is a folder: name a file in it")
    } catch Errno.permissionDenied {
        throw YAMLFileError(file: path, "the file may not be read: its permissions forbid it")
    } catch {
        throw YAMLFileError(file: path, "the file cannot be read: \(error)")
    }
}
