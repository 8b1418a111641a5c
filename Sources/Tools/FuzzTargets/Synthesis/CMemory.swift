// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Glibc
import Wire

/// Calls `body` with a copy that ends at the end of its allocation, so that the sanitizer detects a read beyond it.
func withExactCopy<Result>(_ octets: [UInt8], _ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: octets.count)
    defer { unsafe copy.deallocate() }
    unsafe copy.initialize(from: octets, count: octets.count)
    return unsafe body(copy)
}

/// The same for text, which ends at its first NUL.
func withCString<Result>(_ text: [UInt8], _ body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
    unsafe withExactCopy(text.prefix { $0 != 0 } + [0]) { octets in
        unsafe octets.withMemoryRebound(to: CChar.self, capacity: text.count + 1) { unsafe body($0) }
    }
}

extension pref64_list {
    var prefixes: [pref64] {
        unsafe withUnsafeBytes(of: items) { unsafe Array($0.bindMemory(to: pref64.self).prefix(Int(count))) }
    }
}

extension in6_addr {
    var address: IPv6Address {
        unsafe withUnsafeBytes(of: self) { octets in
            IPv6Address(bits: unsafe octets.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
        }
    }
}
