import Foundation
import TestSupport
import Testing

/// A client out of fixtures/clients that asks a host for an echo: one mistake, made or avoided.
struct SampleClient: CustomTestStringConvertible, Sendable {
    /// The source, in C or Python.
    var file: String
    /// Whom it is asked to reach: a literal, or a name where names are the point.
    var node = "echo.test"
    var port = 7
    /// The name for the version without the mistake, where that avoids the literal.
    var healthyNode: String?
    /// What ipv6check is to say of the version with the mistake.
    var rule: String
    var severity = "error"
    var status: Int32 = 1
    /// Options of ipv6check, with paths that begin at the checkout.
    var options: [String] = []
    /// A configuration for a daemon on whose network it has to be.
    var daemon: String?

    var testDescription: String { file }
    var isInC: Bool { file.hasSuffix(".c") }
    var name: String { String(file.prefix { $0 != "." }) }

    static let all = [
        SampleClient(file: "inet_addr.c", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-001"),
        SampleClient(file: "af_inet_hints.c", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-001"),
        SampleClient(file: "numeric_host.c", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-001"),
        SampleClient(file: "gethostbyname.c", rule: "V6C-002"),
        SampleClient(file: "getaddrinfo_loop.c", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-003"),
        SampleClient(file: "sockaddr_length.c", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-003"),
        SampleClient(file: "offline_check.py", rule: "V6C-004"),
        SampleClient(file: "fixed_prefix.py", rule: "V6C-005", options: ["--prefix", "2001:db8:64::/96"]),
        SampleClient(file: "udp_lite.py", node: "media.test", port: 5004, rule: "V6C-006", options: inOwnWorld),
        SampleClient(file: "guessed_name.py", rule: "V6C-007"),
        SampleClient(file: "host_port.c", rule: "V6C-008"),
        SampleClient(
            file: "literal.py", node: "198.51.100.7", healthyNode: "echo.test", rule: "V6C-009", severity: "warning",
            status: 0),
        SampleClient(file: "unknown_name.py", rule: "V6C-010", severity: "note", status: 3),
        SampleClient(file: "ipv4_hint.py", rule: "V6C-011", options: inOwnWorld),
        SampleClient(
            file: "private_address.py", node: "10.0.0.1", healthyNode: "echo.test", rule: "V6C-012", status: 3),
        SampleClient(file: "active_mode.py", node: "ftp.test", port: 2121, rule: "V6C-013", options: inOwnWorld),
        SampleClient(file: "many_sockets.py", rule: "V6C-014", daemon: "fixtures/clients/few-sessions.yaml"),
    ]

    static let inC = all.filter(\.isInC)

    static func named(_ name: String) -> SampleClient { all.first { $0.name == name }! }

    private static let inOwnWorld = ["--world", "fixtures/clients/world.yaml"]

    /// The command that runs it. Each version is built once.
    func command(works: Bool, node: String? = nil, compiler: [String] = ["cc"]) throws -> [String] {
        let source = Binaries.root.appending(path: "fixtures/clients/\(file)")
        let arguments = [node ?? self.node, "\(port)"]
        if !isInC { return ["python3", source.path] + arguments }
        let product = Binaries.directory.appending(
            path: "\(name)-\(works ? "works" : "fails")-\(compiler.joined().filter(\.isLetter))")
        if !FileManager.default.fileExists(atPath: product.path) {
            let build = try run(
                compiler + ["-std=gnu11", "-DWORKS_EVERYWHERE=\(works ? 1 : 0)", "-o", product.path, source.path])
            try #require(build.status == 0, Comment(rawValue: build.standardError))
        }
        return [product.path] + arguments
    }

    /// For the clients in Python, which are told by their environment.
    func environment(works: Bool) -> [String: String] { ["WORKS_EVERYWHERE": works && !isInC ? "1" : ""] }
}

/// Whether there is a program of this name.
func isInstalled(_ program: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(program)"]).status) == 0
}
