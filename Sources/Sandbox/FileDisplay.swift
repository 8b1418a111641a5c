internal import CLinux
internal import Glibc
internal import LinuxNet

/// Shows the client files that nobody else sees, in its own mount namespace.
///
/// The contents lie on a memory file system, and each is bind-mounted over its path. The memory file system needs a place
/// while that goes on; then the place is as it was, and the bound files keep it alive. (A mount that never had a place
/// would be neater, but until Linux 6.15 nothing could be bound from one.)
///
/// A bind mount needs something to be mounted over. Where there is none, the nearest folder that exists becomes an overlay
/// of itself and the missing file.
struct FileDisplay {
    /// Where the memory file system is for the moment.
    private let scratch: String
    private var overlays = 0

    static func show(_ files: [ShownFile], masking sockets: [String]) throws(SandboxError) {
        let sockets = sockets.filter(isSocket)
        if files.isEmpty && sockets.isEmpty { return }
        do throws(SystemError) {
            let scratch = try place(apartFrom: files.flatMap(\.paths) + sockets)
            try check(unsafe clinux_mount_memory(scratch), "mount(tmpfs)", scratch)
            var display = FileDisplay(scratch: scratch)
            // An overlay hides what is mounted below it, so all of them come first.
            for file in files where !file.onlyWhereItExists { try display.makeUp(for: file) }
            for (index, file) in files.enumerated() { try display.bind(file, as: "\(scratch)/file\(index)") }
            try display.mask(sockets)
            try check(unsafe clinux_detach_mount(scratch), "umount2", scratch)
        } catch {
            throw Diagnosis.mount(error)
        }
    }

    private init(scratch: String) {
        self.scratch = scratch
    }

    /// A folder that none of the paths is in.
    private static func place(apartFrom paths: [String]) throws(SystemError) -> String {
        let resolved = paths + paths.compactMap(realPath)
        for folder in ["/mnt", "/media", "/srv", "/opt", "/home", "/tmp", "/var", "/usr"] where isFolder(folder) {
            if !resolved.contains(where: { $0.hasPrefix(folder + "/") }) { return folder }
        }
        throw SystemError("mount(tmpfs)", .ENOENT, what: "/mnt")
    }

    // MARK: - Bind mounts

    private func bind(_ file: ShownFile, as source: String) throws(SystemError) {
        let present = file.paths.filter { SystemControl.exists($0) }
        if present.isEmpty { return }
        try Self.create(source, file.contents)
        for path in present { try check(unsafe clinux_mount_bind(source, path), "mount(MS_BIND)", path) }
    }

    /// Connecting to what is no socket is refused (ECONNREFUSED).
    private func mask(_ sockets: [String]) throws(SystemError) {
        if sockets.isEmpty { return }
        let empty = scratch + "/masked"
        try Self.create(empty, [])
        // Two names of one socket: the first mount has masked both.
        for path in sockets where Self.isSocket(path) {
            try check(unsafe clinux_mount_bind(empty, path), "mount(MS_BIND)", path)
        }
    }

    // MARK: - Overlays

    /// Makes the file's missing paths exist.
    private mutating func makeUp(for file: ShownFile) throws(SystemError) {
        for path in file.paths where !SystemControl.exists(path) {
            // Up to the nearest folder that exists.
            var folder = path[...]
            repeat {
                folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
            } while !folder.isEmpty && !Self.isFolder(String(folder))
            // Nothing can be mounted over the root that would be seen by those who are in it.
            if folder.isEmpty { throw SystemError("mount(overlay)", .ENOENT, what: path) }

            overlays += 1
            let upper = "\(scratch)/upper\(overlays)"
            let work = "\(scratch)/work\(overlays)"
            try Self.makeFolder(upper)
            try Self.makeFolder(work)
            let below = path.dropFirst(folder.utf8.count + 1).split(separator: "/")
            var target = upper
            for name in below.dropLast() {
                target += "/" + name
                try Self.makeFolder(target)
            }
            try Self.create(target + "/" + (below.last ?? ""), [])
            try check(
                unsafe clinux_mount_overlay(String(folder), upper, work, String(folder)), "mount(overlay)",
                String(folder))
        }
    }

    // MARK: - Files

    private static func create(_ path: String, _ contents: [UInt8]) throws(SystemError) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if number < 0 { throw SystemError("open", Errno(errno), what: path) }
        try write(contents, to: Descriptor(owning: number), path: path)
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        try check(unsafe mkdir(path, 0o755), "mkdir", path)
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func isFolder(_ path: String) -> Bool { mode(path) == S_IFDIR }
    private static func isSocket(_ path: String) -> Bool { mode(path) == S_IFSOCK }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

private func check(_ result: Int32, _ call: String, _ what: String) throws(SystemError) {
    if result != 0 { throw SystemError(call, Errno(errno), what: what) }
}
