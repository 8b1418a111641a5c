// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A client in C or Python from fixtures/clients, which asks a host for an echo and makes or avoids one mistake.
///
/// The pages of docs/rules have its commands (`How to reproduce it`), which tests run.
struct SampleClient: CustomTestStringConvertible, Sendable {
    /// The source, such as `inet_addr.c`.
    var file: String
    /// The host that it has to reach: a literal, or a name if the mistake is about names.
    var node: String
    var port: String
    /// The expected rule of the version with the mistake.
    var rule: String
    var severity: String
    var status: Int32
    /// Options of ipv6check, with paths relative to the checkout.
    var options: [String]
    /// The configuration of the daemon whose network it needs.
    var daemon: String?
    /// The command of a server that runs on the machine meanwhile, at the client's port.
    var machineServer: [String]?

    var testDescription: String { file }
    var isInC: Bool { file.hasSuffix(".c") }
    var name: String { String(file.prefix { $0 != "." }) }
    /// The host that the version without the mistake has to reach: a name, if the literal is the mistake.
    var healthyNode: String { node.allSatisfy { $0.isNumber || $0 == "." } ? "echo.test" : node }

    static let all: [SampleClient] = {
        let folder = Binaries.root.appending(path: "docs/rules")
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return pages.filter { $0.hasPrefix("V6C-") }.sorted().flatMap { page in
            clients(on: (try? String(contentsOf: folder.appending(path: page), encoding: .utf8)) ?? "")
        }
    }()

    static let inC = all.filter(\.isInC)

    static func named(_ name: String) -> SampleClient { all.first { $0.name == name }! }

    /// The clients that a page has commands for:
    ///
    ///     nat64sim serve --config FILE …
    ///     python3 -m http.server …
    ///     ipv6check [OPTION VALUE …] ./NAME|python3 FILE NODE PORT [# exit code N]
    private static func clients(on page: String) -> [SampleClient] {
        guard let title = page.firstMatch(of: #/# (V6C-[0-9]+): .+\n\nSeverity: ([a-z]+) /#),
            let start = page.range(of: "## How to reproduce it"), let end = page.range(of: "## References")
        else { return [] }
        var daemon: String?
        var machineServer: [String]?
        return page[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap { line in
            if let server = line.wholeMatch(of: #/    nat64sim serve --config ([^ ]+) .*/#) {
                daemon = String(server.1)
            }
            if let server = line.wholeMatch(of: #/    (python3 -m http.server .*) &/#) {
                machineServer = server.1.split(separator: " ").map(String.init)
            }
            let command =
                #/    ipv6check (.*?)(?:\./|python3 fixtures/clients/)([^ ]+) ([^ ]+) ([0-9]+)(?: +# exit code ([0-9]+))?/#
            guard let match = line.wholeMatch(of: command) else { return nil }
            // Words with spaces are in quotes.
            let options = match.1.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
                $0.isMultiple(of: 2) ? $1.split(separator: " ").map(String.init) : [String($1)]
            }
            let usual: Int32 = title.2 == "error" ? 1 : title.2 == "note" ? 3 : 0
            let status = match.5.flatMap { Int32($0) } ?? usual
            let isMilder = status == 0 && page.contains(" · a warning for programs that pass")
            return SampleClient(
                file: match.2.contains(".") ? String(match.2) : match.2 + ".c", node: String(match.3),
                port: String(match.4), rule: String(title.1),
                severity: isMilder ? "warning" : String(title.2), status: status, options: daemon == nil ? options : [],
                daemon: daemon,
                machineServer: machineServer)
        }
    }

    /// The command that runs the client. Each version is built once.
    func command(works: Bool, node: String? = nil, compiler: [String] = ["cc"]) throws -> [String] {
        let source = Binaries.root.appending(path: "fixtures/clients/\(file)")
        let arguments = [node ?? self.node, port]
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

    /// The environment of clients in Python, which chooses the version.
    func environment(works: Bool) -> [String: String] { ["WORKS_EVERYWHERE": works && !isInC ? "1" : ""] }
}
