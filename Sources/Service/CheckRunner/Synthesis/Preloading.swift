// SPDX-License-Identifier: Apache-2.0
import Evidence
import Reports
import Sandbox
import Translation

/// The library that is preloaded into a client and its children, or the reason why none is. It records their lookups, and synthesises
/// addresses only on request.
struct Preloading {
    /// The getaddrinfo that the client finds.
    private(set) var profile: GetaddrinfoProfile
    /// `linux` if nothing is preloaded.
    private(set) var urlLoading: URLLoading
    /// The path at which the client finds the library; `nil` if nothing is preloaded.
    private let path: String?
    /// The library, to be shown at that path.
    let files: [ShownFile]
    /// Parts that could not be done, a sentence each.
    let notes: [String]

    /// The name, in the client's network namespace, of the socket to which the library sends its evidence.
    static let socketName = "ipv6check-evidence"

    /// - Parameters:
    ///   - wanted: the getaddrinfo that the client is to find.
    ///   - isLeftAlone: whether nothing is loaded merely to record.
    init(
        _ wanted: GetaddrinfoProfile, urlLoading: URLLoading, isLeftAlone: Bool, client: ExecutableInspection
    ) throws(CheckFailure) {
        let synthesises = wanted != .linux || urlLoading != .linux
        guard synthesises || !isLeftAlone else {
            self.init()
            return
        }
        var notes: [String] = []
        if synthesises, let obstacle = client.obstacle {
            notes.append(sentence(obstacle, of: client.program.description))
        }
        guard let library = client.suitableLibrary else {
            self.init(notes: notes)
            return
        }
        let objection: String
        switch ShimLibrary.find(for: library) {
        case .found(let shim):
            self.init(wanted, urlLoading, shim, notes: notes)
            return
        case .missing:
            objection = "the library for it is not beside ipv6check" + (library.remedy.map { "; fix: \($0)" } ?? "")
        case .distrusted(let reason): objection = "the library for it is not used: \(reason)"
        }
        if urlLoading != .linux { throw CheckFailure("--url-loading \(urlLoading.rawValue): \(objection)", .usage) }
        if synthesises { throw CheckFailure("--getaddrinfo \(wanted.rawValue): \(objection)", .usage) }
        self.init(notes: ["What your program looks up is not recorded: \(objection)."])
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

    /// Whether anything comes before Linux's own handling of literals.
    var synthesises: Bool { profile != .linux || urlLoading != .linux }

    /// The same with another getaddrinfo, and the machine's own URL loading.
    func finding(_ profile: GetaddrinfoProfile) -> Preloading {
        var other = self
        other.profile = isActive ? profile : .linux
        other.urlLoading = .linux
        return other
    }

    /// The client's environment with the variables that the dynamic loader and the library read. The user's own preloads come after.
    /// - Parameter prefixes: in presentation format; empty on a network without NAT64. `nil` if they may change: then they are in the
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

    /// There is mostly one prefix, and joining it would take a search for types.
    private static func list(_ prefixes: [String]) -> String {
        switch prefixes.count {
        case 0: "none"
        case 1: prefixes[0]
        default: prefixes.joined(separator: ",")
        }
    }
}

extension ExecutableInspection {
    /// The C library for which our build can be loaded into the client, or into its children if the client itself takes none. `nil` if
    /// preloading would do harm: a loader that cannot load it complains, or gives up.
    var suitableLibrary: CLibrary? {
        switch kind {
        case .dynamic(let library, _): library
        case .isStatic, .unreadable, .unknown: .glibc
        case .otherLoader, .otherMachine: nil
        }
    }
}
