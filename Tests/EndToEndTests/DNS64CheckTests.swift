// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `nat64sim dns64-check`: its queries to any DNS64, and its report on the answers.
    @Suite struct DNS64CheckTests {
        /// Runs the script in a network namespace of its own.
        private func check(_ script: String) throws -> Output {
            try run([
                "unshare", "--user", "--map-root-user", "--net", "sh", "-c",
                "ip link set lo up; log=$(mktemp); \(script)",
                "sh", Binaries.nat64sim, "dns64-check",
            ])
        }

        @Test func `ours answers every question as the RFCs have it, under the well-known prefix and another`() throws {
            let json = Binaries.scratch.appending(path: "dns64.json")
            let junit = Binaries.scratch.appending(path: "dns64.xml")
            let output = try run([Binaries.nat64sim, "dns64-check", "--json", json.path, "--junit", junit.path])
            #expect(output.status == 0, Comment(rawValue: output.text + output.standardError))
            #expect(output.text.contains("pass  RFC 6147 §5.1.2") && !output.text.contains("FAIL  "))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: json)) as? [String: Any])
            #expect(document["departures"] as? Int == 0)
            #expect((document["answers"] as? [[String: Any]])?.count ?? 0 >= 60)
            let xml = try String(contentsOf: junit, encoding: .utf8)
            #expect(xml.components(separatedBy: "<testcase ").count > 60 && !xml.contains("<failure"))
            let other = try run([Binaries.nat64sim, "dns64-check", "--prefix", "2001:db8:64::/64"])
            #expect(other.status == 0, Comment(rawValue: other.text + other.standardError))
        }

        @Test func `a server that does not synthesise departs, and each departure has what was asked and answered`()
            throws
        {
            // The upstream on its own is such a server.
            let output = try check(
                """
                "$@" --upstream 127.0.0.1#5300 >"$log" & server=$!
                until grep -q answering "$log"; do sleep 0.05; done
                "$1" dns64-check @127.0.0.1#5300 --json -; status=$?
                kill $server; wait $server; rm "$log"; exit $status
                """)
            #expect(output.status == 1)
            #expect(output.standardError.contains("answered  NOERROR\n"))
            #expect(output.standardError.contains("depart from the RFCs."))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any])
            #expect(document["server"] as? String == "127.0.0.1:5300")
            #expect(document["departures"] as? Int ?? 0 > 10)
        }

        @Test func `a server that is not there, and one that does not ask the upstream, are said`() throws {
            let silent = try check("\"$@\" --timeout 100ms --json - @127.0.0.1#5300")
            #expect(silent.status == 1 && silent.standardError.contains("there is no answer to any question"))
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(silent.text.utf8)) as? [String: Any])
            #expect((document["failures"] as? [String])?.count == 1)
            let apart = try check(
                """
                "$@" --upstream 127.0.0.1#5300 >"$log" & server=$!
                until grep -q answering "$log"; do sleep 0.05; done
                "$1" dns64-check --upstream 127.0.0.1#5301 @127.0.0.1#5300; status=$?
                kill $server; wait $server; rm "$log"; exit $status
                """)
            #expect(apart.status == 1)
            #expect(
                apart.standardError.contains("never asked the upstream: let it forward everything to 127.0.0.1:5301"))
        }

        @Test func `mistakes on the command line are usage errors`() throws {
            for (words, text) in [
                (["@nowhere"], "\"@nowhere\" is no address"), (["--prefix", "64:ff9b::/95"], "--prefix 64:ff9b::/95"),
                (["--json", "-", "--junit", "-"], "cannot both be standard output"),
                (["--json", "/nosuch/file", "--timeout", "10ms", "@127.0.0.1#1"], "/nosuch/file"),
            ] {
                let output = try run([Binaries.nat64sim, "dns64-check"] + words)
                #expect(output.status == 2, "\(words)")
                #expect(output.standardError.contains(text), "\(words): \(output.standardError)")
            }
        }
    }
}
