import Evidence
import Reports
import Sandbox
import Translation

/// Giving a client literal synthesis: what is preloaded into it and its children, or why nothing is.
struct Preloading {
    /// What the client finds: `linux` where nothing is preloaded.
    let profile: GetaddrinfoProfile
    /// `linux` where nothing is preloaded.
    let urlLoading: URLLoading
    /// The path at which the client finds the library; `nil` if nothing is preloaded.
    private let path: String?
    /// The library, to be shown at that path.
    let files: [ShownFile]
    /// What could not be done, a sentence each.
    let notes: [String]

    /// The name, in the client's network namespace, of the socket to which the library sends its evidence.
    static let socketName = "ipv6check-evidence"

    /// - Parameter asked: what the user asked for; `nil` is the default, apple.
    init(
        asked: GetaddrinfoProfile?, urlLoading: URLLoading, client: ExecutableInspection
    ) throws(CheckFailure) {
        let wanted = asked ?? .apple
        guard wanted != .linux || urlLoading != .linux else {
            self.init()
            return
        }
        var notes: [String] = []
        if let obstacle = client.obstacle { notes.append(sentence(obstacle, of: client.program.description)) }
        guard let library = client.suitableLibrary else {
            self.init(notes: notes)
            return
        }
        let objection: String
        switch ShimLibrary.find(for: library) {
        case .found(let shim):
            self.init(wanted, urlLoading, shim, notes: notes)
            return
        case .missing: objection = "the library for it is not beside ipv6check; build it with: \(library.remedy)"
        case .distrusted(let reason): objection = "the library for it is not used: \(reason)"
        }
        if urlLoading != .linux { throw CheckFailure("--url-loading \(urlLoading.rawValue): \(objection)", .usage) }
        if asked != nil { throw CheckFailure("--getaddrinfo \(wanted.rawValue): \(objection)", .usage) }
        self.init(notes: notes + ["No literal synthesis, as on plain Linux: \(objection)."])
    }

    private init(_ profile: GetaddrinfoProfile, _ urlLoading: URLLoading, _ shim: ShimLibrary, notes: [String]) {
        let path = shim.shownPath
        self.profile = profile
        self.urlLoading = urlLoading
        self.path = path
        files = path == shim.path ? [] : [ShownFile(paths: [path], beginning: shim.beginning, contents: [])]
        self.notes = notes
    }

    /// Nothing is preloaded.
    init(notes: [String] = []) {
        profile = .linux
        urlLoading = .linux
        path = nil
        files = []
        self.notes = notes
    }

    /// Whether there will be evidence.
    var isActive: Bool { path != nil }

    /// The client's environment with what the dynamic loader and the library read. What the user preloads comes after.
    /// - Parameter prefixes: in presentation format; none on a network without NAT64. `nil`: they may change, and are told in the
    ///   client's resolv.conf (`ClientFiles`).
    func environment(_ inherited: Environment, prefixes: [String]?) -> Environment {
        guard let path else { return inherited }
        var environment = inherited
        environment.preload(path)
        environment["IPV6CHECK_GETADDRINFO"] = OSString(profile.rawValue)
        if urlLoading != .linux { environment["IPV6CHECK_URL_LOADING"] = OSString(urlLoading.rawValue) }
        environment["IPV6CHECK_EVIDENCE"] = OSString("@" + Self.socketName)
        environment["IPV6CHECK_PREF64"] = OSString(prefixes.map(Self.list) ?? "resolv.conf")
        return environment
    }

    /// Mostly there is one, and to join it takes a search for types.
    private static func list(_ prefixes: [String]) -> String {
        switch prefixes.count {
        case 0: "none"
        case 1: prefixes[0]
        default: prefixes.joined(separator: ",")
        }
    }
}

extension ExecutableInspection {
    /// The C library whose build of ours can be loaded into the client, or into its children where the client itself takes
    /// none. `nil` if preloading would do harm: a loader that cannot load it complains, or gives up.
    var suitableLibrary: CLibrary? {
        switch kind {
        case .dynamic(let library, _): library
        case .isStatic, .unreadable, .unknown: .glibc
        case .otherLoader, .otherMachine: nil
        }
    }
}
