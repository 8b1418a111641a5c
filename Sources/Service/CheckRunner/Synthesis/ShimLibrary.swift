// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox

/// The preloaded library that gives a client literal synthesis (Sources/Core/CSynthesis), as a file of this installation.
struct ShimLibrary {
    let path: String
    /// Identity of the file that was found to be trusted.
    let identity: FileIdentity?

    /// The library as the beginning of a file that a client is shown.
    var beginning: ShownFile.Beginning { ShownFile.Beginning(path: path, identity: identity) }

    /// The result of a search for the library.
    enum Search {
        case found(ShimLibrary)
        case missing
        /// There is a library that others could have put there; the reason, as a sentence without its full stop.
        case distrusted(String)
    }

    /// The library for programs with that C library.
    ///
    /// To be called before this process enters a user namespace, in which all users but the caller look the same.
    /// - Parameter folder: this executable's, with a slash at its end.
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

    /// Folders that are searched for the library: the executable's own, that of an installation, and, for an executable in a checkout's
    /// `.build`, the output folder of scripts/build-shim. The last is for checkouts only: `../shim/` of an installation may be any user's
    /// folder.
    private static func places(for folder: String) -> [String] {
        [folder, "\(folder)../lib/ipv6check/"] + (Installation.checkout(of: folder).map { ["\($0).build/shim/"] } ?? [])
    }

    /// The dynamic loader's error for the library; `nil` if it can be loaded. Only the library for our own C library can be tested.
    var loadingError: String? {
        guard let handle = unsafe dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
            return unsafe String(cString: dlerror())
        }
        unsafe dlclose(handle)
        return nil
    }

    /// The path at which the client finds the library.
    ///
    /// The library's own path may be out of reach for a child of the client that has become another user (a checkout in a home of mode
    /// 0700): then the dynamic loader would complain on the child's standard error. So the library appears in an empty folder, where it
    /// hides nothing; if there is none, its own path has to do.
    var shownPath: String {
        let workingDirectory = FileManager.default.currentDirectoryPath + "/"
        let folder = ["/media", "/srv", "/mnt", "/opt", "/usr/local/games", "/usr/games"].first { folder in
            isEmptyFolder(folder) && !workingDirectory.hasPrefix(folder + "/")
        }
        guard let folder, let name = path.split(separator: "/").last else { return path }
        return "\(folder)/ipv6check/\(name)"
    }
}
