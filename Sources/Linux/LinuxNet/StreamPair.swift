// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Two ends of a byte stream within this machine, close-on-exec.
@frozen
package struct StreamPair: ~Copyable, Sendable {
    package let first: Descriptor
    package let second: Descriptor

    package init() throws(SystemError) {
        var numbers: (Int32, Int32) = (-1, -1)
        let result = unsafe withUnsafeMutableBytes(of: &numbers) {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            return unsafe socketpair(AF_UNIX, type, 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        if result != 0 { throw .last("socketpair") }
        first = Descriptor(owning: numbers.0)
        second = Descriptor(owning: numbers.1)
    }
}
