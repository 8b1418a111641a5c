import Findings
import Sandbox
import Translation

/// Giving a client literal synthesis: what is preloaded into it and its children, or why nothing is.
struct Preloading {
    /// What the client finds: `linux` where nothing is preloaded.
    let profile: GetaddrinfoProfile
    /// The path at which the client finds the library; nil where nothing is preloaded.
    private let path: String?
    /// The library, to be shown at that path.
    let files: [ShownFile]
    /// What could not be done, a sentence each.
    let notes: [String]

    /// The name, in the client's network namespace, of the socket to which the library sends its evidence.
    static let socketName = "ipv6check-evidence"

    /// - Parameter asked: what the user asked for; nil is the default, apple.
    init(asked: GetaddrinfoProfile?, client: ExecutableInspection) throws(CheckFailure) {
        let wanted = asked ?? .apple
        guard wanted != .linux else {
            self.init()
            return
        }
        var notes: [String] = []
        if let obstacle = client.obstacle { notes.append("No literal synthesis for \(client.program): \(obstacle)") }
        guard let library = client.suitableLibrary else {
            self.init(notes: notes)
            return
        }
        guard let shim = ShimLibrary.find(for: library) else {
            let missing = "the library for it is not beside ipv6check; build it with: \(library.remedy)"
            if asked != nil { throw CheckFailure("--getaddrinfo \(wanted.rawValue): \(missing)", .usage) }
            self.init(notes: notes + ["No literal synthesis, as on plain Linux: \(missing)."])
            return
        }
        self.init(wanted, shim, notes: notes)
    }

    private init(_ profile: GetaddrinfoProfile, _ shim: ShimLibrary, notes: [String]) {
        let path = shim.shownPath
        self.profile = profile
        self.path = path
        files = path == shim.path ? [] : [ShownFile(paths: [path], contents: shim.contents)]
        self.notes = notes
    }

    /// Nothing is preloaded.
    init(notes: [String] = []) {
        profile = .linux
        path = nil
        files = []
        self.notes = notes
    }

    /// Whether there will be evidence.
    var isActive: Bool { path != nil }

    /// The client's environment with what the dynamic loader and the library read. What the user preloads comes after.
    /// - Parameter prefixes: in presentation format; none on a network without NAT64.
    func environment(_ inherited: Environment, prefixes: [String]) -> Environment {
        guard let path else { return inherited }
        var environment = inherited
        let others = inherited["LD_PRELOAD"]?.bytes ?? []
        environment["LD_PRELOAD"] = OSString(Array(path.utf8) + (others.isEmpty ? [] : [UInt8(ascii: ":")] + others))
        environment["IPV6CHECK_GETADDRINFO"] = OSString(profile.rawValue)
        environment["IPV6CHECK_EVIDENCE"] = OSString("@" + Self.socketName)
        environment["IPV6CHECK_PREF64"] = OSString(prefixes.isEmpty ? "none" : prefixes.joined(separator: ","))
        return environment
    }
}

extension ExecutableInspection {
    /// The C library whose build of ours can be loaded into the client, or into its children where the client itself takes
    /// none. Nil where preloading would do harm: a loader that cannot load it complains, or gives up.
    fileprivate var suitableLibrary: CLibrary? {
        switch kind {
        case .dynamic(let library, _): library
        case .isStatic, .unreadable, .unknown: .glibc
        case .otherLoader, .otherMachine: nil
        }
    }

    /// Why the client's getaddrinfo is not ours, and what that means; nil where it is.
    fileprivate var obstacle: String? {
        let consequence = "it ran with what it has, as on plain Linux, and may do better on Apple's systems."
        let goResolver =
            "it is a Go program, and Go reads literals itself instead of giving them to getaddrinfo, here and on Apple's systems."
        switch kind {
        case .isStatic(go: .some), .dynamic(_, go: .some):
            return goResolver
        case .isStatic(go: nil):
            return "it is statically linked, so no library can be put before its getaddrinfo; \(consequence)"
        case .otherLoader(let loader):
            return "its dynamic loader is \(loader), of a C library that ours is not made for; \(consequence)"
        case .otherMachine:
            return "it is made for another machine than ipv6check, and cannot load our library; \(consequence)"
        case .unreadable:
            return "it cannot be read, so nobody knows whether a library can be put before its getaddrinfo."
        case .unknown:
            return "it is neither an ELF executable nor a script, so nobody knows what getaddrinfo it has."
        case .dynamic(_, go: nil):
            guard isPrivileged else { return nil }
            return
                "it runs with another user's rights or with capabilities, and the dynamic loader then ignores LD_PRELOAD; "
                + consequence
        }
    }
}
