// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import ConfigurationFiles
import ConfigurationText
import Diagnosis
import Glibc
package import Suites

/// A suite file that was read: the suite, and the base of its relative paths.
package struct SuiteSource {
    package let suite: Suite
    /// As the user gave it, or as it was found.
    package let path: String
    /// `sha256:…` of the file's contents.
    package let digest: String
    /// The folder of the file, absolute: the base of relative paths.
    let folder: String

    /// Names of a suite file in a folder and in its parents.
    private static let names = ["ipv6check.yaml", ".config/ipv6check.yaml"]

    /// - Parameter path: `nil` searches from the working directory upwards.
    package init(_ path: String?) throws(CheckFailure) {
        guard let found = path ?? Self.found else {
            throw CheckFailure(
                "there is no \(Self.names.joined(separator: " or ")) here or in a folder above; name one, or write one: ipv6check suite init",
                .usage)
        }
        do throws(SuiteFileError) {
            let octets = try readFile(found, maximum: 1 << 20)
            var suite = try Suite(yaml: octets, name: found, rules: Rule.allNumbers)
            let base = Self.folder(of: found)
            try suite.takeExpectedTexts { path throws(SuiteFileError) in
                try readFile(path.hasPrefix("/") ? path : "\(base)/\(path)", maximum: 1 << 20)
            }
            self.suite = suite
            digest = sha256(octets)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
        self.path = found
        folder = Self.folder(of: found)
    }

    /// A suite without a file; its relative paths begin at the working directory.
    package init(_ suite: Suite, text: [UInt8] = []) {
        self.suite = suite
        path = "ipv6check \(suite.name)"
        digest = sha256(text)
        folder = Self.workingDirectory
    }

    private static func folder(of file: String) -> String {
        let absolute = file.hasPrefix("/") ? file : workingDirectory + "/" + file
        return absolute.lastIndex(of: "/").map { String(absolute[..<$0]) } ?? "/"
    }

    /// A path of the suite file as an absolute one.
    package func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }

    /// Whether a search would find a file.
    static var isThere: Bool { found != nil }

    private static var found: String? {
        var folder = workingDirectory
        var prefix = ""
        while true {
            for name in names where unsafe access(prefix + name, F_OK) == 0 { return prefix + name }
            guard let slash = folder.lastIndex(of: "/"), folder != "/" else { break }
            folder = String(folder[..<slash])
            if folder.isEmpty { folder = "/" }
            prefix += "../"
        }
        return nil
    }

    static var workingDirectory: String {
        guard let path = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}

extension Rule {
    /// The numbers that a suite file may use, in order.
    static var allNumbers: [String] { Catalogue.all.flatMap(\.numbers).sorted() }

    /// The rule's own number, and that of the rule that it replaced.
    private var numbers: [String] { [id] + (was.map { [$0] } ?? []) }
}
