// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The `replies` of a world file.
    @Suite struct RepliesTests {
        @Test(arguments: User.available)
        func `an API answers with a file, a portal's check with a status, and each host with its own`(user: User) throws
        {
            let folder = Binaries.scratch.appending(path: "replies-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            try Data(#"{"hosts": ["shop.test"]}"#.utf8).write(to: folder.appending(path: "list.json"))
            let world = folder.appending(path: "world.yaml")
            try Data(
                """
                version: 1
                hosts:
                  api.test:
                    addresses: [198.51.100.30]
                    services:
                      - http: { replies: { /list.json: list.json, /generate_204: 204, /old: { status: 302, headers: { Location: /list.json, X-Answer: 42 } } } }
                      - https: { replies: { /list.json: { file: list.json, status: 503, type: text/plain } } }
                  cdn.test: { addresses: [198.51.100.30], services: { http: { replies: { /list.json: 404 } } } }

                """.utf8
            ).write(to: world)
            let format = " %{http_code} %{content_type}\\n"
            let output = try run(
                [
                    Binaries.ipv6check, "--once", "--world", world.path, "--", "sh", "-c",
                    """
                    curl -sS -w '\(format)' http://api.test/list.json; curl -sS -w '\(format)' https://api.test/list.json
                    curl -sS -w '\(format)' http://api.test/generate_204; curl -sS -w '\(format)' http://cdn.test/list.json
                    curl -sSI http://api.test/list.json | grep -i content-length | tr -d '\\r'
                    curl -sSL -D - http://api.test/old | grep -iE 'answer|hosts' | tr -d '\\r'
                    """,
                ], as: user)
            expectPass(output)
            #expect(
                output.text == """
                    {"hosts": ["shop.test"]} 200 application/json
                    {"hosts": ["shop.test"]} 503 text/plain
                     204\u{20}
                     404\u{20}
                    Content-Length: 24
                    X-Answer: 42
                    {"hosts": ["shop.test"]}

                    """, Comment(rawValue: output.text))
        }

        @Test func `a file that is not there is told with its place`() throws {
            let world = Binaries.scratch.appending(path: "\(UUID().uuidString).yaml")
            try Data(
                """
                version: 1
                hosts: { a.test: { addresses: 198.51.100.1, services: { http: { replies: { /a: nothing.json } } } } }

                """.utf8
            ).write(to: world)
            let output = try run([Binaries.ipv6check, "--world", world.path, "true"])
            #expect(
                output.status == 2 && output.standardError.contains(".yaml:2:"), Comment(rawValue: output.standardError)
            )
            #expect(output.standardError.contains("nothing.json: there is no such file"))
        }
    }
}
