// SPDX-License-Identifier: Apache-2.0
import Executables
import Glibc
package import LinuxNet
package import SourceScan
import Text
import Wire

/// Walks files and folders and scans the sources among them.
///
/// The contents are untrusted: links are not followed (except those that the user names), only regular files are opened for
/// reading, and depth, size and number are limited.
package struct SourceTree {
    /// Larger sources are not read.
    package static let sizeLimit = 8 << 20
    /// A source that a person wrote takes less than a tenth of it.
    private static let timeLimit = Duration.seconds(10)
    private static let depthLimit = 64
    private static let fileLimit = 1_000_000
    private static let findingLimit = 100_000

    /// The result of scanning a tree.
    package struct Result {
        package var findings: [Place] = []
        package var accepted: [(place: Place, reason: String)] = []
        /// Number of files that were read.
        package var files = 0
        /// Sentences about files that were not read, with the reason.
        package var notes: [String] = []
        /// The files and folders among them that may hold findings.
        package var unread: [String] = []
        package var omitted = 0
        /// Number of sources in languages that cannot be scanned.
        package var inOtherLanguages = 0
        /// Findings that are not reported, as such findings are mostly false positives.
        package var possible = 0
    }

    package struct Place: Hashable, Sendable {
        /// The path in the form in which the user would write it.
        package let path: String
        package let finding: SourceFinding
    }

    private let takesAll: Bool
    private let suppressions: SuppressionFile?
    private let isMet: (Place) -> Bool
    private var result = Result()

    private init(takesAll: Bool, suppressions: SuppressionFile?, isMet: @escaping (Place) -> Bool) {
        self.takesAll = takesAll
        self.suppressions = suppressions
        self.isMet = isMet
    }

    /// - Parameters:
    ///   - takesAll: whether tests, folders of third-party code and build output are scanned, too.
    ///   - isMet: whether a run has confirmed a finding, which is then reported even if it is a likely false positive.
    package static func scan(
        _ paths: [String], takesAll: Bool, suppressions: SuppressionFile?,
        isMet: @escaping (Place) -> Bool = { _ in false }
    ) throws(SystemError) -> Result {
        var tree = SourceTree(takesAll: takesAll, suppressions: suppressions, isMet: isMet)
        for path in paths {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { throw SystemError("stat", Errno(errno), what: path) }
            if status.st_mode & S_IFMT == S_IFDIR {
                let folder = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
                tree.walk(folder, depth: 0, ignoring: takesAll ? IgnoreFiles() : IgnoreFiles(above: folder))
            } else if let source = tree.scan(path, isNamed: true, mayBeBinary: true) {
                tree.take(source, of: path, isBesideIPv6: false)
            }
        }
        return tree.result
    }

    /// - Parameter folder: empty, or with a final slash.
    private mutating func walk(_ folder: String, depth: Int, ignoring above: IgnoreFiles) {
        guard depth < Self.depthLimit else { return noteUnread(folder, "is too deep") }
        guard let names = Self.names(in: folder.isEmpty ? "." : folder) else {
            return noteUnread(folder, "cannot be read")
        }
        let ignoring = takesAll ? above : above.reading(names.contains(IgnoreFiles.name) ? folder : nil)
        var folders: [String] = []
        var scanned: [(path: String, source: ScannedSource)] = []
        for name in names {
            let path = folder + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard name != ".git", takesAll || !FileChoice.skipsFolder(name) else { continue }
                if !ignoring.ignores(path, isFolder: true) { folders.append(path + "/") }
            case S_IFREG:
                guard takesAll || !FileChoice.skipsFile(name), !ignoring.ignores(path, isFolder: false) else {
                    continue
                }
                let mayBeBinary = status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH) != 0 || name.contains(".so")
                if let source = scan(path, isNamed: false, mayBeBinary: mayBeBinary) { scanned.append((path, source)) }
            default: break
            }
        }
        let knowsIPv6 = scanned.contains { $0.source.knowsIPv6 }
        for file in scanned { take(file.source, of: file.path, isBesideIPv6: knowsIPv6) }
        for folder in folders { walk(folder, depth: depth + 1, ignoring: ignoring) }
    }

    /// In the order of their octets, so that the findings are the same each time; `nil` if the folder cannot be read.
    private static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < fileLimit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// `nil` if the file is not scanned; unless its name is the reason, a note gives it.
    private mutating func scan(_ path: String, isNamed: Bool, mayBeBinary: Bool) -> ScannedSource? {
        let name = baseName(path)
        let language = SourceLanguage(fileName: name)
        if language == nil, SourceLanguage.isOfOther(fileName: name) { result.inOtherLanguages += 1 }
        guard language != nil || mayBeBinary, result.files < Self.fileLimit else { return nil }
        do throws(SystemError) {
            // Opening a FIFO or a device must not block, and a file may have become a link since.
            let file = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK | (isNamed ? 0 : O_NOFOLLOW))
            guard file.isRegularFile else {
                note(path, "is no regular file")
                return nil
            }
            guard let language else { return binary(file, path, isNamed: isNamed) }
            let contents = try Descriptor.contents(of: "/proc/self/fd/\(file.number)", limit: Self.sizeLimit + 1)
            guard contents.count <= Self.sizeLimit else {
                noteUnread(path, "has more than 8 MiB")
                return nil
            }
            // A source has no NUL; a file with one is data under a source's name.
            guard !contents.prefix(8192).contains(0) else {
                note(path, "is binary")
                return nil
            }
            result.files += 1
            let deadline = MonotonicClock.now() + Self.timeLimit
            if let source = SourceScan.findings(in: contents, language, isLate: { MonotonicClock.now() > deadline }) {
                return source
            }
            result.files -= 1
            noteUnread(path, "takes longer than \(Self.timeLimit.components.seconds) s")
            return nil
        } catch {
            // A file without a source's name is not expected to be read, so it needs no note.
            if language != nil || isNamed { noteUnread(path, "cannot be read: \(error.errno)") }
            return nil
        }
    }

    /// The imports of an executable or a library, and the addresses in its read-only data; `nil` for any other file.
    private mutating func binary(_ file: borrowing Descriptor, _ path: String, isNamed: Bool) -> ScannedSource? {
        let number = file.number
        func read(_ count: Int, _ offset: Int) -> [UInt8] { octets(of: number, count, at: offset) }
        guard let imports = DynamicImports(read), let strings = ReadOnlyStrings(read, where: SourceScan.isDestination)
        else {
            if isNamed { note(path, "is no source and no ELF file that can be scanned") }
            return nil
        }
        result.files += 1
        return ScannedSource(
            ofBinary: SourceScan.findings(inImports: imports.names) + SourceScan.findings(inTexts: strings.texts))
    }

    private mutating func take(_ scanned: ScannedSource, of path: String, isBesideIPv6: Bool) {
        func isTold(_ finding: SourceFinding) -> Bool {
            switch finding.certainty {
            case .sure: true
            case .unlessBesideIPv6: takesAll || !isBesideIPv6
            case .possible: takesAll
            }
        }
        for finding in scanned.findings {
            let place = Place(path: path, finding: finding)
            if !isTold(finding), !isMet(place) {
                result.possible += 1
            } else if let reason = suppressions?.reason(for: finding.rule, in: path) {
                result.accepted.append((place, reason))
            } else if result.findings.count < Self.findingLimit {
                result.findings.append(place)
            } else {
                result.omitted += 1
            }
        }
        result.accepted += scanned.accepted.map { (Place(path: path, finding: $0.finding), $0.reason) }
        result.omitted += scanned.omitted
        for line in scanned.linesWithoutReason {
            note("\(path):\(line)", "accepts nothing: write ipv6check:ignore V6C-001 -- the reason")
        }
    }

    private mutating func noteUnread(_ path: String, _ text: String) {
        note(path, text)
        if result.unread.count < 1000 { result.unread.append(path) }
    }

    private mutating func note(_ path: String, _ text: String) {
        if result.notes.count < 1000 { result.notes.append("\(path.isEmpty ? "." : path) \(text)") }
    }
}

/// Reads `count` octets, or as many as the file has there.
private func octets(of file: Int32, _ count: Int, at offset: Int) -> [UInt8] {
    var octets: [UInt8] = []
    // A block at a time: the count may come from the file itself.
    var block = [UInt8](repeating: 0, count: min(count, 65_536))
    while octets.count < count {
        let wanted = min(block.count, count - octets.count)
        let result = unsafe block.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, wanted, off_t(offset) + off_t(octets.count))
        }
        if result < 0 && errno == EINTR { continue }
        if result <= 0 { break }
        octets += block.prefix(result)
    }
    return octets
}
