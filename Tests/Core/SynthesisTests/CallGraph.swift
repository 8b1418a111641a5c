// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Which function of the shim calls which, and how much stack each takes, as gcc tells it.
struct CallGraph {
    /// Octets.
    private var frames: [String: Int] = [:]
    private var calls: [String: Set<String>] = [:]

    /// -fcallgraph-info is gcc's.
    static let isAvailable =
        (try? run(["/usr/bin/env", "cc", "--version"]).text.contains("Free Software Foundation")) == true

    /// The functions that are called by their address, by the source that does so. The rules call the machine by
    /// `synthesis_host`, what makes and frees entries does so by two of its functions; pthread_once calls what is to be done
    /// once. Any other call by address out of `shim/` goes to the libc.
    private static let calledByAddress = [
        "lookup.c": ["call_real", "free_real", "host_has_ipv6", "host_reaches_ipv4", "host_prefixes"],
        "entries.c": ["call_real", "free_real"],
        "names.c": ["free_real"],
        "real.c": ["find_all"],
        "configuration.c": ["read_environment"],
    ]

    init(compiler: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stack-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for part in ["", "shim"] {
            let sources = Toolchain.root.appending(path: "Sources/Core/CSynthesis/\(part)")
            for name in try FileManager.default.contentsOfDirectory(atPath: sources.path) where name.hasSuffix(".c") {
                let object = folder.appending(path: name + ".o").path
                // The flags of scripts/build-shim that change code.
                try run([
                    "/usr/bin/env", compiler, "-std=c11", "-O2", "-fPIC", "-fvisibility=hidden",
                    "-ftls-model=initial-exec", "-fcallgraph-info=su", "-c", sources.appending(path: name).path,
                    "-o", object,
                ]).successful()
                read(
                    try String(contentsOf: folder.appending(path: name + ".ci"), encoding: .utf8), of: name,
                    isInShim: part == "shim")
            }
        }
    }

    /// The lines are `node: { title: "FILE:NAME" label: "NAME\nFILE:1:2\n128 bytes (static)…" }` and
    /// `edge: { sourcename: "…" targetname: "…" … }`.
    private mutating func read(_ text: String, of source: String, isInShim: Bool) {
        for line in text.split(separator: "\n") {
            let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
            if line.hasPrefix("node:"), quoted.count > 3, let end = quoted[3].range(of: " bytes (") {
                let octets = quoted[3][..<end.lowerBound].reversed().prefix { $0.isNumber }.reversed()
                frames[String(quoted[1]), default: 0] = Int(String(octets)) ?? .max
            } else if line.hasPrefix("edge:"), quoted.count > 3 {
                if isInShim && quoted[3] == "__indirect_call" { continue }
                // The library calls these within its own scope, where they report nothing (scope.h).
                if ["inet_pton", "inet_ntop"].contains(quoted[3]) { continue }
                let isByAddress = quoted[3] == "__indirect_call" || quoted[3] == "pthread_once"
                calls[String(quoted[1]), default: []].insert(isByAddress ? source : String(quoted[3]))
            }
        }
    }

    /// Maximum stack use of a function and its callees, in octets; nil if there is no such function.
    func depth(of function: String) -> Int? { depth(of: function, within: []) }

    private func depth(of function: String, within callers: Set<String>) -> Int? {
        if callers.contains(function) { return 0 }
        var callees = calls[function] ?? []
        if let named = Self.calledByAddress[function] {
            callees.formUnion(frames.keys.filter { key in named.contains { key == $0 || key.hasSuffix(":" + $0) } })
        }
        guard frames[function] != nil || !callees.isEmpty else { return nil }
        let deepest = callees.compactMap { depth(of: $0, within: callers.union([function])) }.max() ?? 0
        return (frames[function] ?? 0) + deepest
    }
}
