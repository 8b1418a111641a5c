// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// If the shim has nothing to do, programs cannot detect it.
@Suite("Transparency", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct TransparencyTests {
    @Test
    func `The linux profile answers every question as no shim does`() throws {
        let answers = try TableTests.answers(
            on: .ipv6Only, preload: [try Toolchain.shim.get()],
            environment: ["IPV6CHECK_GETADDRINFO": "linux", "IPV6CHECK_PREF64": "64:ff9b::/96"])
        #expect(try answers == TableTests.plainOnIPv6Only.get())
    }

    @Test(arguments: ["apple", "android", "chromium"])
    func `Without a Pref64 no profile changes an answer`(profile: String) throws {
        let answers = try TableTests.answers(
            on: .dualStack, preload: [try Toolchain.shim.get()],
            environment: ["IPV6CHECK_GETADDRINFO": profile, "IPV6CHECK_PREF64": "none"])
        #expect(try answers == TableTests.answers(on: .dualStack))
    }

    /// Output, errors and exit status of programs that use no literal.
    @Test(arguments: [
        ["sh", "-c", "echo out; echo err >&2; exit 7"], ["getent", "ahosts", "dual.test"],
        ["getent", "ahosts", "nowhere.test"], ["getent", "services", "http"], ["sh", "-c", "kill -TERM $$"],
    ])
    func `A client without a literal behaves as without the shim`(command: [String]) throws {
        var host = Host.ipv6Only
        host.hosts = Questions.hosts
        let environment = ["IPV6CHECK_PREF64": "64:ff9b::/96", "IPV6CHECK_EVIDENCE": "/nonexistent/socket"]
        let with = try host.run(command, preload: [try Toolchain.shim.get()], environment: environment)
        let without = try host.run(command)
        #expect(with.status == without.status)
        #expect(with.text == without.text)
        #expect(with.standardError == without.standardError)
    }

    @Test
    func `A static program never sees the shim`() throws {
        let source = Toolchain.clients.appending(path: "getaddrinfo_loop.c")
        let program = try Toolchain.build(
            source, as: "getaddrinfo_loop-static", with: ["cc", "-std=gnu11", "-w"],
            flags: ["-static", "-DWORKS_EVERYWHERE"])
        let outcome = try Host.ipv6Only.run(
            [program, "198.51.100.10", "8080"], preload: [try Toolchain.shim.get()],
            environment: ["IPV6CHECK_PREF64": "64:ff9b::/96"])
        #expect(outcome.status == 1)
        #expect(outcome.standardError.contains("198.51.100.10"))
    }

    @Test
    func `The library exports the interposed functions and nothing else, and needs libc alone`() throws {
        let library = try Toolchain.shim.get()
        let exported = try run(["/usr/bin/env", "nm", "-D", "--defined-only", "--format=posix", library]).successful()
        let names = exported.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            Set(names) == [
                "getaddrinfo", "freeaddrinfo", "getnameinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r",
                "gethostbyname2_r",
                "inet_addr", "inet_aton", "inet_ntoa", "inet_pton", "inet_ntop", "getifaddrs", "res_nsearch",
                "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "posix_spawn", "posix_spawnp",
                "socket", "pthread_create", "connect", "bind", "listen", "sendto", "sendmsg", "setsockopt", "ioctl",
                "open", "openat", "open64", "openat64", "__open_2", "__open64_2",
            ])
        let dynamic = try run(["/usr/bin/env", "readelf", "-d", library]).successful()
        let needed = dynamic.text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(needed.allSatisfy { $0.contains("[libc.so.6]") || $0.contains("[ld-linux") })
    }
}
