import Foundation
import TestSupport
import Testing

/// A client out of fixtures/clients, in C, that asks a host for an echo: one mistake, made or avoided.
struct SampleClient: CustomTestStringConvertible, Sendable {
    var name: String
    /// Whom it is asked to reach: a literal, or a name where names are the point.
    var node = "198.51.100.7"
    /// What ipv6check is to say of the version with the mistake.
    var rule: String

    var testDescription: String { name }

    static let all = [
        SampleClient(name: "inet_addr", rule: "V6C-001"),
        SampleClient(name: "af_inet_hints", rule: "V6C-001"),
        SampleClient(name: "numeric_host", rule: "V6C-001"),
        SampleClient(name: "gethostbyname", node: "echo.test", rule: "V6C-002"),
        SampleClient(name: "getaddrinfo_loop", rule: "V6C-003"),
        SampleClient(name: "sockaddr_length", rule: "V6C-003"),
        SampleClient(name: "host_port", rule: "V6C-008"),
    ]

    /// The command that runs it. Each version is built once.
    func command(works: Bool, compiler: [String] = ["cc"]) throws -> [String] {
        let product = Binaries.directory.appending(
            path: "\(name)-\(works ? "works" : "fails")-\(compiler.joined().filter(\.isLetter))")
        if !FileManager.default.fileExists(atPath: product.path) {
            let source = Binaries.root.appending(path: "fixtures/clients/\(name).c")
            let build = try run(
                compiler + ["-std=gnu11", "-DWORKS_EVERYWHERE=\(works ? 1 : 0)", "-o", product.path, source.path])
            try #require(build.status == 0, Comment(rawValue: build.standardError))
        }
        return [product.path, node, "7"]
    }
}

/// Whether there is a program of this name.
func isInstalled(_ program: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(program)"]).status) == 0
}
