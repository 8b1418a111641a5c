// SPDX-License-Identifier: Apache-2.0
import Evidence
import Sandbox
import Text

/// Makes interpreters report where a program is, which their own native frames do not show. For traced runs only.
///
/// The preloaded library does this for interpreters that can be asked from C, whether it synthesises or not, and also reports their
/// lookups; a hook does it for Node, whose calls come from its event loop.
struct InterpreterFrames {
    /// The path at which the client finds the library.
    private let library: ShownPath
    private let hook: ShownPath?

    /// The library's path for this process.
    private let libraryFile: String

    private struct ShownPath {
        let path: String
        /// `nil` if the file is there already.
        let file: ShownFile?
    }

    /// `nil` if the library is missing, or cannot be loaded into the client; `Preloading` has reported the reason.
    init?(client: ExecutableInspection) {
        guard let suitable = client.suitableLibrary, case .found(let shim) = ShimLibrary.find(for: suitable) else {
            return nil
        }
        let path = shim.shownPath
        let isShown = path != shim.path
        libraryFile = shim.path
        library = ShownPath(
            path: path, file: isShown ? ShownFile(paths: [path], beginning: shim.beginning, contents: []) : nil)
        // No file is added to the library's own folder.
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        let hookPath = String(folder) + "node-frames.cjs"
        hook =
            isShown
            ? ShownPath(
                path: hookPath, file: ShownFile(paths: [hookPath], contents: Array(EmbeddedFile.nodeFrames.utf8))) : nil
    }

    /// The client's memory maps name the library by the path that the client sees. Unwinding through it needs the file itself.
    func finding(_ stacks: StackSnapshots) -> StackSnapshots {
        var stacks = stacks
        stacks.replace(library.path, by: libraryFile)
        return stacks
    }

    /// - Parameter preloading: the client's preloading beside this.
    func files(beside preloading: Preloading) -> [ShownFile] {
        [preloading.isActive ? nil : library.file, hook?.file].compactMap { $0 }
    }

    /// The client's environment with the variables that the library and Node read. The user's own options for Node come after.
    func environment(_ inherited: Environment, beside preloading: Preloading) -> Environment {
        var environment = inherited
        environment["IPV6CHECK_FRAMES"] = OSString("1")
        if !preloading.isActive {
            environment.preload(library.path)
            environment["IPV6CHECK_GETADDRINFO"] = OSString(GetaddrinfoProfile.linux.rawValue)
            environment["IPV6CHECK_EVIDENCE"] = OSString("@" + Preloading.socketName)
        }
        if let hook { environment.prepend("--require=" + hook.path, to: "NODE_OPTIONS", separator: UInt8(ascii: " ")) }
        return environment
    }
}

extension Environment {
    /// Has the dynamic loader load a library before all others.
    mutating func preload(_ library: String) {
        let separator = UInt8(ascii: ":")
        prepend(library, to: "LD_PRELOAD", separator: separator)
        // gcc's dynamic libasan ends the program if a library comes before it. Before libasan, this library only looks up its own
        // environment and functions, so it works there as well as anywhere.
        prepend("verify_asan_link_order=0", to: "ASAN_OPTIONS", separator: separator)
    }

    mutating func prepend(_ value: String, to name: String, separator: UInt8) {
        let others = self[name]?.bytes ?? []
        self[name] = OSString(Array(value.utf8) + (others.isEmpty ? [] : [separator] + others))
    }
}
