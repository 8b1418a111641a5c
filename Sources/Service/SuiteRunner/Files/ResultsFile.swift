// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import ConfigurationFiles
import ConfigurationText
import Digests
import Glibc
import LinuxNet
import Reports
import Suites

/// The file of events that a run writes, and that `merge`, `--rerun` and `--timings` read.
enum ResultsFile {
    private static let maximumSize = 1 << 30

    /// - Parameter path: `-` is standard input.
    static func parts(in path: String) throws(CheckFailure) -> [MergedResults.Part] {
        try read(path).parts
    }

    static func timings(in path: String) throws(CheckFailure) -> ShardPlan.Timings {
        let (octets, parts) = try read(path)
        return ShardPlan.Timings(parts, digest: sha256(octets))
    }

    private static func read(_ path: String) throws(CheckFailure) -> (octets: [UInt8], parts: [MergedResults.Part]) {
        let octets: [UInt8]
        do throws(YAMLFileError) {
            octets = try readFile(path == "-" ? "/dev/stdin" : path, maximum: maximumSize)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
        do throws(ResultLines.Malformed) {
            return (octets, try ResultLines.parts(of: octets, name: path == "-" ? "standard input" : path))
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
    }

    /// Opens one for writing. If two runs name the same file, the second is refused, as their lines would be mixed.
    static func create(_ path: String) throws(CheckFailure) -> Descriptor {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o666)
        } catch {
            throw CheckFailure("\(error); give a file that can be written", .usage)
        }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return file }
        // On a file system without locks this check is skipped.
        if flock(file.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw CheckFailure("--results \(path): another run writes it; give each run its own file", .usage)
        }
        guard ftruncate(file.number, 0) == 0 else {
            throw CheckFailure("--results \(path): \(Errno(errno)); give a file that can be written", .usage)
        }
        return file
    }
}

/// `sha256:…`
func sha256(_ octets: [UInt8]) -> String { "sha256:" + hexadecimal(octets) }

/// The SHA-256 of something in hexadecimal digits.
func hexadecimal(_ octets: [UInt8]) -> String {
    Digest.sha256(octets).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
