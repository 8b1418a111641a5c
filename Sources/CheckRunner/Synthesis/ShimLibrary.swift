import Glibc
import LinuxNet
import Sandbox

/// The preloaded library that gives a client literal synthesis (Sources/CSynthesis), as a file of this installation.
struct ShimLibrary {
    let path: String
    let contents: [UInt8]

    /// Folders in which it is looked for, seen from that of this executable: beside it, as `make install` has it, and where
    /// scripts/build-shim leaves it (SwiftPM's `release` is a link into a folder deeper).
    private static let places = ["", "../lib/ipv6check/", "../shim/", "../../shim/"]
    /// It has some 200 kB.
    private static let sizeLimit = 16 << 20

    /// The library for programs with that C library; nil where it has not been built.
    static func find(for library: CLibrary) -> ShimLibrary? {
        let name = library == .glibc ? "libipv6synth.so" : "libipv6synth-musl.so"
        guard let folder = ownFolder else { return nil }
        for place in places {
            let path = folder + place + name
            guard let file = FileBytes(path: OSString(path)) else { continue }
            return ShimLibrary(path: path, contents: file.read(upTo: sizeLimit, at: 0))
        }
        return nil
    }

    /// The folder of this executable, with a slash at its end.
    private static let ownFolder: String? = {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        let text = unsafe String(cString: path)
        return text.lastIndex(of: "/").map { String(text[...$0]) }
    }()

    /// Where the client finds it.
    ///
    /// Its own path may be one that a child of the client cannot reach, which has become another user (a checkout in a home
    /// of mode 0700): then the dynamic loader would complain on the child's standard error. So it appears in an empty
    /// folder, where it hides nothing; without one its own path has to do.
    func shownPath(workingDirectory: String) -> String {
        let folder = ["/media", "/srv", "/mnt", "/opt", "/usr/local/games", "/usr/games"].first { folder in
            Self.isEmptyFolder(folder) && !"\(workingDirectory)/".hasPrefix(folder + "/")
        }
        guard let folder, let name = path.split(separator: "/").last else { return path }
        return "\(folder)/ipv6check/\(name)"
    }

    private static func isEmptyFolder(_ path: String) -> Bool {
        guard let folder = unsafe opendir(path) else { return false }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix(3)) }
            let dot = UInt8(ascii: ".")
            guard name[0] == dot, name[1] == 0 || name[1] == dot && name[2] == 0 else { return false }
        }
        return true
    }
}

/// The working directory, empty where it has none that can be named.
func workingDirectory() -> String {
    guard let path = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
}
