// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
import SystemPackage

/// The octets of a file; of one that has more than `maximum`, enough to see that it has.
package func readFile(_ path: String, maximum: Int) throws(YAMLFileError) -> [UInt8] {
    do {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        return try descriptor.closeAfter {
            var octets: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while octets.count <= maximum {
                let count = try unsafe chunk.withUnsafeMutableBytes { buffer in
                    try unsafe descriptor.read(into: buffer)
                }
                if count == 0 { break }
                octets += chunk.prefix(count)
            }
            return octets
        }
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
