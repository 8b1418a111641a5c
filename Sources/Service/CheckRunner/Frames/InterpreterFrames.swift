// SPDX-License-Identifier: Apache-2.0
import Evidence
import Sandbox
import Text

/// Letting interpreters say where a program stands: their own native frames say nothing of it. Of traced runs only.
///
/// The preloaded library does it for those that can be asked from C, whether it synthesises or not, and it tells what they look up; a hook does it for Node, whose
/// calls come from its event loop.
struct InterpreterFrames {
    /// At which the client finds them.
    private let library: ShownPath
    private let hook: ShownPath?

    /// Where the library is for us.
    private let libraryFile: String

    private struct ShownPath {
        let path: String
        /// `nil` if the file is there already.
        let file: ShownFile?
    }

    /// `nil` if the library is not there, or cannot be loaded into the client; `Preloading` has said why.
    init?(client: ExecutableInspection) {
        guard let suitable = client.suitableLibrary, case .found(let shim) = ShimLibrary.find(for: suitable) else {
            return nil
        }
        let path = shim.shownPath
        let isShown = path != shim.path
        libraryFile = shim.path
        library = ShownPath(
            path: path, file: isShown ? ShownFile(paths: [path], beginning: shim.beginning, contents: []) : nil)
        // Nothing is made beside the library's own place.
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        let hookPath = String(folder) + "node-frames.cjs"
        hook =
            isShown
            ? ShownPath(
                path: hookPath, file: ShownFile(paths: [hookPath], contents: Array(EmbeddedFile.nodeFrames.utf8))) : nil
    }

    /// The client's memory has the library where the client sees it. To unwind through it, the file itself has to be read.
    func finding(_ stacks: StackSnapshots) -> StackSnapshots {
        var stacks = stacks
        stacks.replace(library.path, by: libraryFile)
        return stacks
    }

    /// - Parameter preloading: what the client is given beside.
    func files(beside preloading: Preloading) -> [ShownFile] {
        [preloading.isActive ? nil : library.file, hook?.file].compactMap { $0 }
    }

    /// The client's environment with what the library and Node read. What the user gives Node comes after.
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
        // gcc's dynamic libasan has the program end if a library comes before it. What this library does before is to ask for its own
        // environment and functions; in front of libasan it is as well off as any.
        prepend("verify_asan_link_order=0", to: "ASAN_OPTIONS", separator: separator)
    }

    mutating func prepend(_ value: String, to name: String, separator: UInt8) {
        let others = self[name]?.bytes ?? []
        self[name] = OSString(Array(value.utf8) + (others.isEmpty ? [] : [separator] + others))
    }
}
