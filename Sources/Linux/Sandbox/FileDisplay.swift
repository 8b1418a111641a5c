// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// Shows the client files that no other process sees, in its own mount namespace.
///
/// The contents are on a memory file system, and each file is bind-mounted over its path. The memory file system is mounted over a
/// folder only meanwhile; afterwards the bound files keep it alive. (A mount that was never attached would be neater, but until
/// Linux 6.15 nothing could be bound from one.)
///
/// A bind mount needs an existing target. If there is none, `Overlay` creates one.
struct FileDisplay {
    /// Where the memory file system is mounted for the moment.
    private let scratch: String

    static func show(_ files: [ShownFile], masking sockets: [String]) throws(SandboxError) {
        let sockets = sockets.filter(isSocket)
        if files.isEmpty && sockets.isEmpty { return }

        do throws(SystemError) {
            let paths = files.flatMap(\.paths)
            let scratch = try place(apartFrom: paths + files.compactMap { $0.beginning?.path } + sockets)
            try check(unsafe clinux_mount_memory(scratch), "mount(tmpfs)", scratch)
            // A beginning may be read from the path of another file, or from below an overlay, so all files are created first.
            let made = files.indices.map { "\(scratch)/file\($0)" }
            for (file, path) in zip(files, made) {
                try createFile(path, beginning: file.beginning, file.contents)
            }
            // An overlay hides mounts below it, so it comes first.
            let required = Set(files.lazy.filter { !$0.isOptional }.flatMap(\.paths))
            for overlay in try Overlay.needed(for: paths) {
                do throws(SystemError) {
                    try overlay.mount(scratch: scratch)
                } catch {
                    if overlay.files.contains(where: required.contains) { throw error }
                }
            }
            let display = FileDisplay(scratch: scratch)
            for (file, path) in zip(files, made) { try display.bind(file, from: path) }
            try display.mask(sockets)
            try check(unsafe clinux_detach_mount(scratch), "umount2", scratch)
        } catch {
            throw SandboxObstacle.mount(error)
        }
    }

    /// A folder that contains none of the paths.
    static func place(apartFrom paths: [String]) throws(SystemError) -> String {
        let paths = paths + paths.compactMap(realPath)
        for folder in ["/mnt", "/media", "/srv", "/opt", "/home", "/tmp", "/var", "/usr"] where isFolder(folder) {
            if !paths.contains(where: { $0.hasPrefix(folder + "/") }) { return folder }
        }
        throw SystemError("mount(tmpfs)", .ENOENT, what: "/mnt")
    }

    private func bind(_ file: ShownFile, from source: String) throws(SystemError) {
        for path in file.paths where !file.isOptional || SystemControl.exists(path) {
            try check(unsafe clinux_mount_bind(source, path), "mount(MS_BIND)", path)
        }
    }

    /// Connecting to a file that is no socket is refused (ECONNREFUSED).
    private func mask(_ sockets: [String]) throws(SystemError) {
        let empty = scratch + "/masked"
        try createFile(empty)
        // The second of two names of one socket is skipped: the first mount has masked both.
        for path in sockets where isSocket(path) {
            try check(unsafe clinux_mount_bind(empty, path), "mount(MS_BIND)", path)
        }
    }
}

/// A folder over which an overlay is mounted, so that files appear to exist in it.
struct Overlay {
    let folder: String
    /// Absolute paths of files below the folder; folders on the way to them may be missing as well.
    var files: [String]

    /// The overlays without which some of the paths would not exist.
    static func needed(for paths: [String]) throws(SystemError) -> [Overlay] {
        var overlays: [Overlay] = []
        for path in paths where !SystemControl.exists(path) {
            var folder = parent(path)
            while !folder.isEmpty && !isFolder(folder) { folder = parent(folder) }
            // A process in the root folder would not see a mount over it.
            if folder.isEmpty { throw SystemError("mount(overlay)", .ENOENT, what: path) }
            overlays.append(Overlay(folder: folder, files: [path]))
        }
        // The kernel stacks at most two file systems, and a container's root is already an overlay. So overlays are not nested: the
        // outermost one gets all files.
        var outermost: [Overlay] = []
        for overlay in overlays.sorted(by: { $0.folder.utf8.count < $1.folder.utf8.count }) {
            let place = outermost.firstIndex { "\(overlay.folder)/".hasPrefix($0.folder + "/") }
            if let place { outermost[place].files += overlay.files } else { outermost.append(overlay) }
        }
        return outermost
    }

    func mount(scratch: String) throws(SystemError) {
        let isEmpty = isEmptyFolder(folder)
        // By hand: the standard library's generic function would cost each launcher a search for types, just for this.
        var name = ""
        for part in folder.split(separator: "/") { name += name.isEmpty ? String(part) : "-\(part)" }
        let upper = "\(scratch)/upper-\(name)"
        let work = "\(scratch)/work-\(name)"
        try makeFolder(work)
        try makeFolder(upper, like: folder)
        for file in files {
            var below = ""
            for part in parent(file).dropFirst(folder.utf8.count).split(separator: "/") {
                below += "/\(part)"
                if !isFolder(upper + below) { try makeFolder(upper + below, like: folder + below) }
            }
            try createFile("\(upper)\(file.dropFirst(folder.utf8.count))")
        }
        // Nothing of an empty folder would show through, and kernels that refuse overlays to users still let them bind.
        if isEmpty { return try check(unsafe clinux_mount_bind(upper, folder), "mount(MS_BIND)", folder) }
        try check(unsafe clinux_mount_overlay(folder, upper, work, folder), "mount(overlay)", folder)
    }
}

// MARK: - Paths and files

private func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}

private func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
}

private func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }
private func isSocket(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false }

/// Whether the folder is readable and empty.
package func isEmptyFolder(_ path: String) -> Bool {
    guard let folder = unsafe opendir(path) else { return false }
    defer { unsafe closedir(folder) }
    var entries = 0
    // The folder itself and its parent are entries, too.
    while entries <= 2, unsafe readdir(folder) != nil { entries += 1 }
    return entries <= 2
}

private func createFile(
    _ path: String, beginning: ShownFile.Beginning? = nil, _ contents: [UInt8] = []
) throws(SystemError) {
    let file = try Descriptor.create(path, mode: 0o644)
    if let beginning, let source = open(beginning) {
        let count = try file.write(contentsOf: source, limit: ShownFile.Beginning.limit)
        let endsLine = count == 0 || (try? source.contents(from: count - 1, limit: 1)) == [UInt8(ascii: "\n")]
        if !endsLine, !contents.isEmpty { try file.write([UInt8(ascii: "\n")], path: path) }
    }
    try file.write(contents, path: path)
}

/// `nil` if there is no such file, or it is not the expected one.
private func open(_ beginning: ShownFile.Beginning) -> Descriptor? {
    let file = try? Descriptor.open(beginning.path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard let file, let status = file.status, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if let identity = beginning.identity, identity != FileIdentity(status) { return nil }
    return file
}

/// Makes a folder with the owner and the permissions of another, if that exists.
private func makeFolder(_ path: String, like model: String? = nil) throws(SystemError) {
    try check(unsafe mkdir(path, 0o755), "mkdir", path)
    guard let model = model.flatMap(status) else { return }
    // An owner without a number in our user namespace cannot be set; then the folder belongs to the user.
    _ = unsafe chown(path, model.st_uid, model.st_gid)
    try check(unsafe chmod(path, model.st_mode & 0o7777), "chmod", path)
}

private func check(_ result: Int32, _ call: String, _ what: String) throws(SystemError) {
    if result != 0 { throw SystemError(call, Errno(errno), what: what) }
}
