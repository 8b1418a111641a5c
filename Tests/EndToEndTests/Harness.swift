// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

/// All end-to-end tests, one at a time: some inspect the whole machine, and none may disturb another's transfer.
@Suite(.serialized, needsNetwork) struct EndToEnd {}

/// The user that runs the command under test.
enum User: String, CaseIterable, CustomTestStringConvertible {
    case root
    /// A user without privileges: the one running the tests, or user 65534 if that is root.
    case ordinary

    var testDescription: String { rawValue }

    /// The users that this process can run commands as.
    static let available: [User] = getuid() == 0 ? [.root, .ordinary] : [.ordinary]

    /// The users that can use the host's network: an ordinary user needs pasta for that, which needs its own TUN.
    static let withUplink = machineHasTUN ? available : available.filter { $0 == .root }

    var prefix: [String] {
        if self == .root || getuid() != 0 { return [] }
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    }
}

typealias Output = ProgramEnd

/// The location of the executables under test, which are copied so that every user can run them.
enum Binaries {
    /// The checkout.
    static let root = URL(filePath: projectRoot)

    static let directory: URL = {
        let source =
            ProcessInfo.processInfo.environment["IPV6CHECK_BINARIES"].map { URL(filePath: $0) }
            ?? root.appending(path: ".build/release")
        let target = FileManager.default.temporaryDirectory.appending(path: "ipv6check-tests-\(UUID())")
        try? FileManager.default.createDirectory(
            at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        for name in ["ipv6check", "nat64sim"] {
            do {
                try FileManager.default.copyItem(at: source.appending(path: name), to: target.appending(path: name))
            } catch {
                fatalError("no \(name) to test in \(source.path); scripts/test builds it: \(error)")
            }
        }
        // The library for literal synthesis is beside the executable, as in an installation.
        let shim = try? run(["bash", root.appending(path: "scripts/build-shim").path])
        guard shim?.status == 0 else { fatalError("scripts/build-shim failed: \(shim?.standardError ?? "")") }
        for library in ["libipv6synth.so", "libipv6synth-musl.so"] {
            try? FileManager.default.copyItem(
                at: root.appending(path: ".build/shim/\(library)"), to: target.appending(path: library))
        }
        atexit { try? FileManager.default.removeItem(at: Binaries.directory) }
        return target
    }()

    static var ipv6check: String { directory.appending(path: "ipv6check").path }
    static var nat64sim: String { directory.appending(path: "nat64sim").path }

    /// A folder that every user may write to, removed with the executables.
    static let scratch: URL = {
        let scratch = directory.appending(path: "scratch")
        try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        try? FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: scratch.path)
        return scratch
    }()
}

/// Without GitHub's job summary: the suites under test must not add to the summary of the job that tests them.
private let inheritedEnvironment = ProcessInfo.processInfo.environment.filter { $0.key != "GITHUB_STEP_SUMMARY" }

/// Runs a command to its end, or ends it after `seconds`.
func run(
    _ command: [String], as user: User = .available[0], input: Data? = nil, seconds: Int = 60,
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
) throws -> Output {
    try runToEnd(
        ["timeout", "--kill-after=5", "\(seconds)"] + user.prefix + command,
        environment: inheritedEnvironment.merging(environment) { $1 }, input: input)
}

/// Runs `ipv6check` with these arguments.
func ipv6check(
    _ arguments: String..., as user: User = .available[0], input: Data? = nil, seconds: Int = 60,
    environment: [String: String] = [:]
) throws -> Output {
    try run([Binaries.ipv6check] + arguments, as: user, input: input, seconds: seconds, environment: environment)
}

/// Expects that the client passed, and shows the report otherwise.
func expectPass(_ output: Output, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(output.status == 0, Comment(rawValue: output.standardError), sourceLocation: sourceLocation)
    #expect(output.standardError.contains("PASS"), sourceLocation: sourceLocation)
}

/// Whether this machine can create the network at all. If not, tests are skipped instead of failing.
let machineCanMakeTheNetwork: Bool = {
    guard let output = try? run([Binaries.ipv6check, "--quiet", "--", "true"]) else { return false }
    return output.status != 5
}()

let needsNetwork = ConditionTrait.enabled(
    if: machineCanMakeTheNetwork, "needs user and network namespaces (see ipv6check doctor)")

/// The report without the extra line for a veth pair as the link: samples and golden files are from machines with a TUN.
func withoutLinkNote(_ report: String) -> String {
    report.replacing(#/[^\n]*A veth pair stands in for a TUN: [^\n]*\n/#, with: "")
}

let machineHasTUN =
    (try? run(["unshare", "--map-root-user", "--net", "ip", "tuntap", "add", "probe", "mode", "tun"]))?.status == 0

/// For tests of features or messages that only a TUN has. Everything else must work with a veth pair, too.
let needsTUN = ConditionTrait.enabled(if: machineHasTUN, "needs /dev/net/tun")

/// For tests that only root can prepare; the parts of an ordinary user run as that user.
let needsRoot = ConditionTrait.enabled(if: getuid() == 0, "needs root to prepare")
