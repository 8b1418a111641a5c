// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

extension EndToEnd {
    /// packaging/setup-nat64: a network for the duration of a job.
    @Suite(.serialized, needsRoot) struct JobNetwork {
        /// A lab's host and the folder of its job.
        private struct Job {
            let lab: Lab
            let folder = Binaries.scratch.appending(path: "j\(UUID().uuidString.prefix(8))")

            init() throws {
                lab = try Lab()
                try lab.startResolver()
            }

            func callAsFunction(_ words: String...) throws -> Output {
                let program = Binaries.root.appending(path: "packaging/setup-nat64/nat64-job").path
                let path = URL(filePath: Binaries.nat64sim).deletingLastPathComponent().path
                // Like the steps of a job: all in one mount namespace.
                return try EndToEndTests.run(
                    lab.prefix(.host) + [
                        "env", "PATH=\(path):/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/sbin:/bin",
                        "NAT64_JOB_FOLDER=\(folder.path)", program,
                    ] + words, as: .root)
            }

            func script(_ text: String) throws -> String {
                let file = folder.appendingPathExtension("sh")
                try text.write(to: file, atomically: true, encoding: .utf8)
                return file.path
            }
        }

        @Test func `steps of a job are on one IPv6-only network, and the end reports`() throws {
            let job = try Job()
            let started = try job("start", "--forward", Lab.resolver)
            #expect(started.status == 0, started.told)
            let works = try job(
                "shell", try job.script("curl -sS -m 20 -o /dev/null http://server.example/; ip -4 route; echo done"))
            #expect(works.status == 0 && works.text == "done\n", works.told)
            let ipv4 = try job("shell", try job.script("curl -4 -sS -m 5 http://server.example/"))
            #expect(ipv4.status != 0, ipv4.told)
            // A server that one step leaves running is there for the next step.
            let left = try job(
                "shell",
                try job.script(
                    "setsid python3 -m http.server --bind ::1 8099 >/dev/null 2>&1 & until curl -s -o /dev/null http://[::1]:8099/; do sleep 0.1; done"
                )
            )
            #expect(left.status == 0, left.told)
            let found = try job("run", "curl", "-fsS", "-o", "/dev/null", "http://[::1]:8099/")
            #expect(found.status == 0, found.told)
            #expect(try job("start").status == 2, "there is one")
            let ended = try job("end")
            // The `curl -4` asked only for A.
            #expect(ended.status == 0 || ended.standardError.isEmpty && ended.text.contains("V6C-002"), ended.told)
            #expect(ended.text.contains("nat64sim gateway: 1 client"), ended.told)
            #expect(try job("run", "true").status == 2, "it has ended")
            try eventually("nothing is left") {
                try !job.lab.output(at: .host, "sh", "-c", "ip -brief link; nft list ruleset").text.contains("nat64")
            }
        }

        @Test func `a network that cannot be made leaves nothing behind`() throws {
            let job = try Job()
            let refused = try job("start", "--prefix", "nonsense")
            #expect(refused.status == 2, refused.told)
            #expect(refused.standardError.contains("nonsense"), refused.told)
            #expect(try !job.lab.output(at: .host, "ip", "-brief", "link").text.contains("nat64"))
        }
    }
}
