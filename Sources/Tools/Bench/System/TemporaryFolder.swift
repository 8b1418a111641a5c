// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A folder that is deleted with this value, including its contents.
struct TemporaryFolder: ~Copyable {
    let path: String

    /// The folder of all temporary files; scripts/bench removes it in the end, even if this process is killed.
    static var parent: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    init() throws(BenchFailure) {
        var template = Array("\(Self.parent)/ipv6check-bench.XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) != nil }
        if !isMade { throw BenchFailure("no folder can be made in \(Self.parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = try? ChildProcess.run("rm", "-rf", path) }
}
