import Glibc
package import LinuxNet
package import SourceScan

/// Walks files and folders and scans the sources among them.
///
/// What is there is anybody's: links are not followed (but where the user names one), only regular files are opened for reading,
/// and depth, size and number have limits.
package struct SourceTree {
    /// Larger sources are not read.
    package static let sizeLimit = 8 << 20
    private static let depthLimit = 64
    private static let fileLimit = 1_000_000
    private static let findingLimit = 100_000

    /// What was made of a tree.
    package struct Result {
        package var findings: [Place] = []
        package var accepted: [(place: Place, reason: String)] = []
        /// Files that were read.
        package var files = 0
        /// Sentences: what was not read, and why.
        package var notes: [String] = []
        package var omitted = 0
    }

    package struct Place: Hashable, Sendable {
        /// As the user would write it.
        package let path: String
        package let finding: SourceFinding
    }

    private let takesAll: Bool
    private let suppressions: SuppressionFile?
    private var result = Result()

    private init(takesAll: Bool, suppressions: SuppressionFile?) {
        self.takesAll = takesAll
        self.suppressions = suppressions
    }

    /// - Parameter takesAll: whether tests, folders of others' code and what was built are scanned, too.
    package static func scan(_ paths: [String], takesAll: Bool, suppressions: SuppressionFile?) throws(SystemError)
        -> Result
    {
        var tree = SourceTree(takesAll: takesAll, suppressions: suppressions)
        for path in paths {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { throw SystemError("stat", Errno(errno), what: path) }
            if status.st_mode & S_IFMT == S_IFDIR {
                tree.walk(path == "." ? "" : path.hasSuffix("/") ? path : path + "/", depth: 0)
            } else {
                tree.scanFile(path, isNamed: true)
            }
        }
        return tree.result
    }

    /// - Parameter folder: empty, or with a final slash.
    private mutating func walk(_ folder: String, depth: Int) {
        guard depth < Self.depthLimit else { return note(folder, "is too deep") }
        guard let names = Self.names(in: folder.isEmpty ? "." : folder) else { return note(folder, "cannot be read") }
        for name in names {
            let path = folder + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                if name != ".git", takesAll || !FileChoice.skipsFolder(name) { walk(path + "/", depth: depth + 1) }
            case S_IFREG:
                if takesAll || !FileChoice.skipsFile(name) { scanFile(path, isNamed: false) }
            default: break
            }
        }
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

    private mutating func scanFile(_ path: String, isNamed: Bool) {
        let name = String(path.split(separator: "/").last ?? "")
        guard let language = SourceLanguage(fileName: name) else {
            if isNamed { note(path, "is no source that can be scanned") }
            return
        }
        guard result.files < Self.fileLimit else { return }
        do throws(SystemError) {
            // A FIFO or a device must not make it wait, and a file may have become a link since.
            let file = try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK | (isNamed ? 0 : O_NOFOLLOW))
            guard file.isRegularFile else { return note(path, "is no regular file") }
            let contents = try Descriptor.contents(of: "/proc/self/fd/\(file.number)", limit: Self.sizeLimit + 1)
            guard contents.count <= Self.sizeLimit else { return note(path, "has more than 8 MiB") }
            // A source has no NUL; what has one is data under a source's name.
            guard !contents.prefix(8192).contains(0) else { return note(path, "is binary") }
            result.files += 1
            take(SourceScan.findings(in: contents, language), of: path)
        } catch {
            note(path, "cannot be read: \(error.errno)")
        }
    }

    private mutating func take(_ scanned: ScannedSource, of path: String) {
        for finding in scanned.findings {
            let place = Place(path: path, finding: finding)
            if let reason = suppressions?.reason(for: finding.rule, in: path) {
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

    private mutating func note(_ path: String, _ text: String) {
        if result.notes.count < 1000 { result.notes.append("\(path.isEmpty ? "." : path) \(text)") }
    }
}
