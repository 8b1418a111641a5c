// SPDX-License-Identifier: Apache-2.0
internal import CDwfl
internal import Glibc

/// Names from the symbol table.
enum Symbol {
    /// Longer symbols are not demangled, which would take too long.
    private static let sizeLimit = 4096

    /// The demangled name, if the mangling is that of C++ (or Rust's older one, which is the same) or Swift.
    static func plainName(_ symbol: String) -> String {
        guard symbol.utf8.count <= sizeLimit else { return symbol }
        if symbol.hasPrefix("_Z") { return withoutParameters(withoutHash(demangledOfCxx(symbol) ?? symbol)) }
        if symbol.hasPrefix("$s") || symbol.hasPrefix("$S") {
            return demangledOfSwift(symbol).map(SwiftFunctionName.plain) ?? symbol
        }
        return symbol
    }

    private static func demangledOfCxx(_ symbol: String) -> String? {
        guard let name = unsafe cdwfl_demangle(symbol) else { return nil }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    private static func demangledOfSwift(_ symbol: String) -> String? {
        let length = symbol.utf8.count
        guard let name = unsafe swift_demangle(symbol, length, nil, nil, 0) else { return nil }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Rust's older mangling ends with `::h` and sixteen hexadecimal digits.
    private static func withoutHash(_ name: String) -> String {
        let hash = name.utf8.suffix(19)
        guard hash.count == 19, hash.starts(with: "::h".utf8),
            hash.dropFirst(3).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return name }
        return String(name.dropLast(19))
    }

    /// `connect(char const*)` → `connect`
    private static func withoutParameters(_ name: String) -> String {
        let whole = name.hasSuffix(" const") ? name.dropLast(6) : name[...]
        guard whole.hasSuffix(")") else { return name }
        var depth = 0
        for index in whole.indices.reversed() {
            if whole[index] == ")" { depth += 1 }
            if whole[index] == "(" { depth -= 1 }
            if depth == 0 { return index == whole.startIndex ? name : String(whole[..<index]) }
        }
        return name
    }
}
