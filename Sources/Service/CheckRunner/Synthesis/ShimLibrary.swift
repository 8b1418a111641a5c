// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox

/// The preloaded library that gives a client literal synthesis (Sources/Core/CSynthesis), as a file of this installation.
struct ShimLibrary {
    let path: String
    /// That which was found to be trusted.
    let identity: FileIdentity?

    /// As a file that a client is shown begins.
    var beginning: ShownFile.Beginning { ShownFile.Beginning(path: path, identity: identity) }

    /// What came of looking for it.
    enum Search {
        case found(ShimLibrary)
        case missing
        /// There is one that others could have put there; why, in a sentence without its stop.
        case distrusted(String)
    }

    /// The library for programs with that C library.
    ///
    /// To be called before this process enters a user namespace, in which all users but the caller look the same.
    /// - Parameter folder: that of this executable, with a slash at its end.
    static func find(for library: CLibrary, seenFrom folder: String? = Installation.folder) -> Search {
        let name = library == .glibc ? "libipv6synth.so" : "libipv6synth-musl.so"
        guard let folder else { return .missing }
        let trust = FileTrust()
        var outcome = Search.missing
        for place in places(for: folder) {
            let path = place + name
            guard let file = FileBytes(path: OSString(path)) else { continue }
            if let objection = trust.objection(to: file, at: path) {
                outcome = .distrusted(objection)
            } else {
                return .found(ShimLibrary(path: path, identity: file.status().map { FileIdentity($0) }))
            }
        }
        return outcome
    }

    /// Folders in which it is looked for: that of the executable, where an installation has it, and for an executable in a checkout's
    /// `.build` where scripts/build-shim leaves it. The last is nowhere else: `../shim/` of an installation may be any user's folder.
    private static func places(for folder: String) -> [String] {
        [folder, "\(folder)../lib/ipv6check/"] + (Installation.checkout(of: folder).map { ["\($0).build/shim/"] } ?? [])
    }

    /// Why the dynamic loader would not load it; `nil` if it does. Only of the library for our own C library can that be
    /// told.
    var loadingError: String? {
        guard let handle = unsafe dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
            return unsafe String(cString: dlerror())
        }
        unsafe dlclose(handle)
        return nil
    }

    /// Where the client finds it.
    ///
    /// Its own path may be one that a child of the client cannot reach, which has become another user (a checkout in a home
    /// of mode 0700): then the dynamic loader would complain on the child's standard error. So it appears in an empty
    /// folder, where it hides nothing; without one its own path has to do.
    var shownPath: String {
        let workingDirectory = FileManager.default.currentDirectoryPath + "/"
        let folder = ["/media", "/srv", "/mnt", "/opt", "/usr/local/games", "/usr/games"].first { folder in
            isEmptyFolder(folder) && !workingDirectory.hasPrefix(folder + "/")
        }
        guard let folder, let name = path.split(separator: "/").last else { return path }
        return "\(folder)/ipv6check/\(name)"
    }
}
