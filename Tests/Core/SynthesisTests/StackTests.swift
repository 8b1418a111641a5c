// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A library that is preloaded into other programs uses their stacks, which may be small.
@Suite(.enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct `Interposed functions on a small stack` {
    static let functions = [
        "getaddrinfo", "freeaddrinfo", "getnameinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r",
        "gethostbyname2_r",
        "inet_addr", "inet_aton", "inet_ntoa", "inet_pton", "inet_ntop",
        "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "posix_spawn", "posix_spawnp",
    ]

    private func call(_ function: String, compiler: [String], program: String, library: String) throws {
        _ = try Toolchain.shim.get()
        let program = try Toolchain.build(
            Toolchain.helpers.appending(path: "narrow.c"), as: program, with: compiler, flags: ["-pthread"])
        var host = Host.ipv6Only
        host.hosts = "2001:db8::6 six.test\n"
        // Without IPV6CHECK_PREF64: the first lookup of a literal asks the resolver, of which there is none.
        let outcome = try host.run(
            [program, function], preload: [Toolchain.products.appending(path: library).path],
            environment: ["IPV6CHECK_EVIDENCE": "/nonexistent/socket"])
        #expect(outcome.status == 0)
        #expect(outcome.text == function)
    }

    @Test(arguments: functions + ["getaddrinfo-of-name"])
    func `A thread with 16 kB of stack can call every function`(function: String) throws {
        try call(
            function, compiler: ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-g"], program: "narrow",
            library: "libipv6synth.so")
    }

    @Test(.enabled(if: isInstalled("musl-gcc"), "needs musl-tools"), arguments: functions)
    func `A thread with 16 kB of stack can call every function with musl`(function: String) throws {
        try call(
            function, compiler: ["musl-gcc", "-std=c11", "-g"], program: "narrow-musl",
            library: "libipv6synth-musl.so")
    }

    /// Measured by the compiler (-fcallgraph-info=su), from the function that the program calls to the last of the shim's own. The libc's
    /// functions use their stack with or without the shim.
    @Test(.enabled(if: CallGraph.isAvailable, "needs gcc"), arguments: ["cc", "musl-gcc"])
    func `No interposed function takes more than 2 kB`(compiler: String) throws {
        guard isInstalled(compiler) else { return }
        let graph = try CallGraph(compiler: compiler)
        for function in Self.functions {
            let depth = try #require(graph.depth(of: function))
            #expect(depth <= 2048, "\(function) takes \(depth) octets")
        }
    }
}
