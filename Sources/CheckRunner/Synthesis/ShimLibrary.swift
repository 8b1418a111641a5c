import FoundationEssentials
import Glibc
import Sandbox

/// The preloaded library that gives a client literal synthesis (Sources/CSynthesis), as a file of this installation.
struct ShimLibrary {
    let path: String
    let contents: [UInt8]

    /// Folders in which it is looked for, seen from that of this executable: beside it, as an installation has it, and where
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

    /// Why the dynamic loader would not load it; nil where it does. Only of the library for our own C library can that be
    /// told.
    var loadingError: String? {
        guard let handle = unsafe dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
            return unsafe String(cString: dlerror())
        }
        unsafe dlclose(handle)
        return nil
    }

    /// The folder of this executable, with a slash at its end.
    private static let ownFolder: String? = {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } }
    }()

    /// Where the client finds it.
    ///
    /// Its own path may be one that a child of the client cannot reach, which has become another user (a checkout in a home
    /// of mode 0700): then the dynamic loader would complain on the child's standard error. So it appears in an empty
    /// folder, where it hides nothing; without one its own path has to do.
    var shownPath: String {
        let workingDirectory = FileManager.default.currentDirectoryPath + "/"
        let folder = ["/media", "/srv", "/mnt", "/opt", "/usr/local/games", "/usr/games"].first { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true
                && !workingDirectory.hasPrefix(folder + "/")
        }
        guard let folder, let name = path.split(separator: "/").last else { return path }
        return "\(folder)/ipv6check/\(name)"
    }
}
