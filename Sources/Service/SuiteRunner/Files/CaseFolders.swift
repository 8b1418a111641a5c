// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import FoundationEssentials
import Glibc
import LinuxNet
import Suites
import Text

/// The folders of the cases: each run gets a new one with a subfolder `out` ($OUT), and a temporary one ($TMPDIR).
///
/// They are in the suite's own folder, which is deleted at the end, or in one that the user named, which stays; the temporary ones are
/// always in the suite's. A killed suite cannot delete its folder; the next suite does, if a lock shows that it is unused.
final class CaseFolders {
    /// The suite's own folder.
    private let own: String
    private let kept: String?
    private var temporaries = 0
    /// The first output that could not be kept in the folder that the user named, and why.
    private(set) var failure: String?
    /// Locked as long as the suite runs.
    private var lock: Descriptor?

    private static let prefix = "ipv6check-suite."

    /// - Parameter kept: the folder that the user named.
    init(keptIn kept: String?, temporary: String) throws(CheckFailure) {
        self.kept = kept.map(Self.absolute)
        if let kept = self.kept {
            do throws(CheckFailure) {
                try Self.make(kept)
            } catch {
                throw CheckFailure("--output \(error); give a folder that can be written", .usage)
            }
        }
        let absolute = Self.absolute(temporary)
        Self.sweep(absolute)
        while true {
            var template = Array("\(absolute)/\(Self.prefix)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                throw CheckFailure(
                    "\(temporary): \(Errno(errno)); set TMPDIR to a folder that can be written", .machineCannot)
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            lock = Self.lock(path)
            // Another suite may have removed it before it was locked.
            if unsafe access(path, F_OK) == 0 {
                own = path
                return
            }
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : SuiteSource.workingDirectory + "/" + path
    }

    deinit { end() }

    /// Deletes the suite's folder. Nothing may run any more.
    func end() {
        try? FileManager.default.removeItem(atPath: own)
        lock = nil
    }

    /// `nil` if another process holds the lock, or the folder is another user's.
    private static func lock(_ path: String) -> Descriptor? {
        guard let folder = try? Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
            flock(folder.number, LOCK_EX | LOCK_NB) == 0
        else { return nil }
        return folder
    }

    /// Removes the folders of this user's killed suites.
    private static func sweep(_ temporary: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [] {
            let path = "\(temporary)/\(name)"
            var status = stat()
            guard name.hasPrefix(prefix), unsafe lstat(path, &status) == 0, status.st_uid == geteuid(),
                let lock = lock(path)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
            lock.close()
        }
    }

    /// Makes the folders for the next run of a case.
    /// - Parameter name: the run's name in its case.
    func make(for element: SuiteCase, _ name: String) throws(CheckFailure) -> RunFolder {
        temporaries += 1
        // A short path: programs put sockets there, whose paths have at most 107 octets (unix(7)).
        let folder = RunFolder(
            path: "\(kept ?? own)/\(element.id)/\(name)", temporary: "\(own)/tmp/\(temporaries)")
        // Remove the remains of an earlier suite.
        try? FileManager.default.removeItem(atPath: folder.path)
        try Self.make(folder.temporary)
        try Self.make(folder.out)
        try Self.make(folder.servers)
        return folder
    }

    /// Deletes or completes the folders of a run that has ended.
    func finish(_ folder: RunFolder, _ printed: ClientOutput) {
        try? FileManager.default.removeItem(atPath: folder.temporary)
        if kept != nil {
            for (name, text) in [("stdout", printed.output), ("stderr", printed.errors)] {
                let gap = text.omitted > 0 ? "\n… \(counted(text.omitted, "octet")) …\n" : ""
                let path = "\(folder.path)/\(name)"
                do throws(SystemError) {
                    try Descriptor.create(path).write(Array((text.start + gap + text.end).utf8))
                } catch {
                    failure = failure ?? "--output \(path): \(error.errno); it is not complete"
                }
            }
            // Succeeds only if it is empty.
            _ = unsafe rmdir(folder.servers)
        } else {
            try? FileManager.default.removeItem(atPath: folder.path)
        }
    }

    private static func make(_ path: String) throws(CheckFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CheckFailure("\(path): this folder cannot be made (\(Errno(errno)))", .machineCannot)
        }
    }
}

struct RunFolder {
    let path: String
    let temporary: String
    var out: String { path + "/out" }
    /// Folder of the servers' output, a file for each.
    var servers: String { path + "/servers" }

    func logPath(of server: String) -> String { "\(servers)/\(server)" }

    /// The start of a server's output.
    func log(of server: String) -> String {
        let octets = try? Descriptor.contents(of: logPath(of: server), limit: OutputPipe.capturedStart)
        return String(decoding: octets ?? [], as: UTF8.self)
    }

    /// The last lines of the output of each server.
    var serverLogs: String {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: servers)) ?? []).sorted()
        return names.map { name in
            let lines = log(of: name).split(separator: "\n").suffix(20)
            return lines.isEmpty ? "" : "\(name):\n" + lines.map { "  \($0)\n" }.joined()
        }.joined()
    }
}
