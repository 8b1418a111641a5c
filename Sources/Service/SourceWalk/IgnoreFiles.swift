// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import SourceScan

/// The `.gitignore` files that apply to a folder: its own, and those of the folders above it up to the root of the repository.
struct IgnoreFiles {
    static let name = ".gitignore"

    private struct Entry {
        /// The part of the scan's paths to strip: this file's folder, or the folder in which the scan began, if that is below it.
        let prefix: String
        /// From this file's folder to the one in which the scan began; empty if the file is in the scan.
        let between: String
        let file: IgnoreFile
    }

    private var entries: [Entry] = []
    private static let sizeLimit = 1 << 20
    private static let depthLimit = 64

    init() {}

    /// The files above a folder, up to the folder with `.git`; none if there is no such folder.
    /// - Parameter folder: empty, or with a final slash.
    init(above folder: String) {
        guard var path = realPath(folder.isEmpty ? "." : folder) else { return }
        var between = ""
        var found: [Entry] = []
        for _ in 0..<Self.depthLimit {
            if unsafe access(path + "/.git", F_OK) == 0 {
                entries = found.reversed()
                return
            }
            guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return }
            between = path[path.index(after: slash)...] + "/" + between
            path = String(path[..<slash])
            if let file = Self.read("\(path)/\(Self.name)") {
                found.append(Entry(prefix: folder, between: between, file: file))
            }
        }
    }

    /// These files and the one of a further folder, if it has one.
    func reading(_ folder: String?) -> IgnoreFiles {
        guard let folder, let file = Self.read(folder + Self.name) else { return self }
        var files = self
        files.entries.append(Entry(prefix: folder, between: "", file: file))
        return files
    }

    /// Whether a path is ignored. The nearest file with a matching pattern decides.
    func ignores(_ path: String, isFolder: Bool) -> Bool {
        for entry in entries.reversed() {
            let rest = Array(entry.between.utf8) + path.utf8.dropFirst(entry.prefix.utf8.count)
            if let isIgnored = entry.file.ignores(rest, isFolder: isFolder) { return isIgnored }
        }
        return false
    }

    private static func read(_ path: String) -> IgnoreFile? {
        guard let text = try? Descriptor.contents(ofRegularFile: path, limit: sizeLimit) else { return nil }
        return IgnoreFile(text)
    }
}
