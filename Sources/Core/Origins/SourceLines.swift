// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension OriginFinder {
    /// The executables and libraries with addresses in their data.
    package var modulesWithAddresses: [String] {
        Set(places.compactMap { if case .data(let module) = $0 { module } else { nil } }).sorted()
    }

    /// The Java class files with addresses.
    package var classesWithAddresses: [String] {
        Set(
            places.compactMap {
                if case .file(let path, nil) = $0, path.hasSuffix(".class") { path } else { nil }
            }
        ).sorted()
    }

    /// Searches a module's sources for its addresses: one that only a single line contains as text is from there.
    /// - Parameter sources: the contents of files, by their absolute paths.
    package mutating func search(sources: [String: [UInt8]], of module: String) {
        var places: [IPAddress: [AddressOrigin.Place]] = [:]
        for (path, octets) in sources.sorted(by: { $0.key < $1.key })
        where !search.hits(in: octets.span, as: .text).isEmpty {
            for (address, lines) in lines(in: octets, without: Self.comments) {
                places[address, default: []] += lines.map { .file(path: path, line: $0) }
            }
        }
        replaceOrigins(at: [.data(module: module), .file(path: module, line: nil)]) { address in
            guard let found = places[address], found.count == 1 else { return nil }
            return AddressOrigin(found[0])
        }
        // A compiler may put a short text into the code, in pieces.
        for (address, found) in places where found.count == 1 && !isFound(address) {
            add(data: AddressOrigin(found[0], isCertain: false), of: address)
        }
    }

    /// The lines that contain each address as text, at most so many of each that a call's own is probably among them.
    /// - Parameter comments: the beginnings of lines that are left out.
    func lines(in octets: [UInt8], without comments: [String]) -> [IPAddress: [Int]] {
        var found: [IPAddress: [Int]] = [:]
        var number = 0
        for line in octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if comments.contains(where: { text.starts(with: $0.utf8) }) { continue }
            for (address, hit) in search.hits(in: text.span, as: .text) where hit.isCertain {
                if found[address, default: []].count < Self.limit { found[address, default: []].append(number) }
            }
        }
        return found
    }

    /// The beginnings of comments in compiled languages. C's directives begin like comments of other languages.
    private static let comments = ["//", "/*", "*", "--", "(*"]
    /// The beginnings of comments in scripts and configuration files.
    static let commentsOfText = ["#", "//", "/*", "--", ";", "%", "<!--"]
    private static let limit = 16
}
