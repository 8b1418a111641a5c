// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Guards against server-side request forgery, with a hole and without one (WORKS_EVERYWHERE=1).
    @Suite struct CanaryTests {
        private static let folder = Binaries.root.appending(path: "fixtures/clients").path

        private struct Report: Decodable {
            struct Case: Decodable {
                var id: String
                var outcome: String
                var message: String
            }
            var cases: [Case]
        }

        /// - Returns: the output; the messages, by case, of all cases but passes without a finding; and the number of cases.
        private func canaries(
            _ command: [String], hole: Bool = false, as user: User = .available[0]
        ) throws -> (output: Output, told: [String: String], count: Int) {
            let json = Binaries.scratch.appending(path: "\(UUID()).json")
            let output = try run(
                [Binaries.ipv6check, "--canaries", "--json", json.path, "--"] + command, as: user, seconds: 300,
                environment: hole ? [:] : ["WORKS_EVERYWHERE": "1"])
            let cases = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json)).cases
            let told = cases.filter { $0.outcome != "pass" || $0.message != "" }.map { ($0.id, $0.message) }
            return (output, Dictionary(uniqueKeysWithValues: told), cases.count)
        }

        private static func goGuard() throws -> String {
            let product = Binaries.directory.appending(path: "canary-guard")
            if !FileManager.default.fileExists(atPath: product.path) {
                let build = try run(["go", "build", "-o", product.path, "\(folder)/canaries/guard.go"])
                try #require(build.status == 0, build.told)
            }
            return product.path
        }

        @Test(.enabled(if: isInstalled("go")), arguments: User.available)
        func `a guard that is right passes the whole set`(_ user: User) throws {
            let (output, told, count) = try canaries([Self.goGuard(), "{url}"], as: user)
            #expect(output.status == 0, output.told)
            #expect(told.isEmpty, output.told)
            #expect(count >= 200)
            #expect(!output.standardError.contains("PASS  canaries"), "what passes is not listed")
        }

        @Test(.enabled(if: isInstalled("go"))) func `a hole is named with what was reached, and the line`() throws {
            let (output, told, _) = try canaries([Self.goGuard(), "{url}"], hole: true)
            #expect(output.status == 1, output.told)
            #expect(
                told["wkp.metadata@nat64"]
                    == "V6C-097: http://[64:ff9b::a9fe:a9fe]/wkp.metadata leads it to the metadata service of a cloud",
                output.told)
            #expect(told["6to4.metadata@nat64"]?.contains("leads it towards a private address") == true, output.told)
            for name in [
                "own32.net10@nat64", "rebind.metadata@nat64", "unspecified.loopback@nat64", "redirect-307.wkp@nat64",
            ] {
                #expect(told[name] != nil, "\(name)\n\(output.standardError)")
            }
            #expect(!told.keys.contains { $0.hasPrefix("public.") }, output.told)
        }

        private static let sample = [
            "public.public", "wkp.metadata", "own96.router", "mapped.loopback", "rebind*.loopback", "redirect-302.wkp",
            "decimal.loopback", "name.net10", "proxy.net10", "compressed.loopback6",
        ]

        @Test(arguments: [
            ("python3", "url_guard.py", "own96.router@nat64"),
            ("node", "canaries/guard.js", "compressed.loopback6@nat64"),
            ("ruby", "canaries/guard.rb", "public.public@nat64"),
        ])
        func `in a suite a guard holds, and its twin with a hole does not`(
            _ interpreter: String, _ file: String, hole: String
        ) throws {
            try #require(isInstalled(interpreter))
            let folder = try SuiteFolder(
                """
                  - name: right
                    command: [\(interpreter), \(Self.folder)/\(file), "{url}"]
                    env: { WORKS_EVERYWHERE: "1" }
                    canaries: true
                  - name: hole
                    command: ["sh", "-c", 'exec \(interpreter) \(Self.folder)/\(file) "$CANARY_URL"']
                    canaries: true
                """)
            let output = try folder.command(
                ["suite"] + Self.sample.flatMap { ["--filter", "right.\($0)", "--filter", "hole.\($0)"] }, seconds: 300)
            #expect(output.status == 1, output.told)
            let outcomes = output.outcomes
            let right = outcomes.filter { $0.key.hasPrefix("right.") }
            #expect(right.count == 16 && right.allSatisfy { $0.value == "PASS" }, output.told)
            #expect(outcomes["hole.\(hole)"] == "FAIL", output.told)
            // Node.js connects in a later turn of its event loop, after the program's own line has returned.
            if interpreter != "node" { #expect(output.standardError.contains("\(file):"), output.told) }
        }

        /// Further guards: the tool that they need, the file, and the commands that build and run it.
        private static let others = [
            ("php", "guard.php", "true", "php guard.php"),
            ("javac", "Guard.java", "javac -d OUT Guard.java", "java -cp OUT Guard"),
            ("rustc", "guard.rs", "rustc -O -o OUT/guard guard.rs", "OUT/guard"),
        ].filter { isInstalled($0.0) }

        @Test(arguments: others)
        func `the guards of the pages hold`(_ compiler: String, _ file: String, _ build: String, command: String) throws
        {
            let product = Binaries.directory.appending(path: "canaries-\(file)").path
            try FileManager.default.createDirectory(atPath: product, withIntermediateDirectories: true)
            func inFolder(_ line: String) -> String {
                "cd \(Self.folder)/canaries && " + line.replacingOccurrences(of: "OUT", with: product)
            }
            let built = try run(["sh", "-c", inFolder(build)])
            try #require(built.status == 0, built.told)
            let folder = try SuiteFolder(
                "  - { name: right, command: \"\(inFolder("exec \(command)")) '{url}'\", canaries: true }")
            let output = try folder.command(
                ["suite"] + Self.sample.flatMap { ["--filter", "right.\($0)"] }, seconds: 300)
            #expect(output.status == 0, output.told)
            #expect(output.outcomes.count == 16, output.told)
        }

        @Test func `a server is started once for each network, and asked for every URL`() throws {
            let server = """
                    server: { command: [python3, \(Self.folder)/canaries/previewd.py], ready: { tcp: 8080 } }
                    probe: { from: ipv6, http: "/?url={url}" }
                    slow: 2m
                    canaries: true
                """
            let folder = try SuiteFolder("  - name: hole\n\(server)")
            let junit = folder.url.appending(path: "junit.xml")
            let output = try folder.command(["suite", "--junit", junit.path], seconds: 300)
            #expect(output.status == 1, output.told)
            #expect(output.outcomes == ["hole@nat64": "FAIL", "hole@dual-stack": "FAIL"], output.told)
            #expect(output.standardError.contains("/wkp.metadata leads it to the metadata service"), output.told)
            #expect(output.standardError.contains("url_guard.py:"), output.told)
            #expect(try String(contentsOf: junit, encoding: .utf8).contains("wkp.metadata"))
            try folder.write("  - name: right\n\(server)")
            let right = try folder.command(
                ["suite"], seconds: 300, environment: ["WORKS_EVERYWHERE": "1"])
            #expect(right.status == 0, right.told)
        }

        @Test func `who refuses every synthesised address is told so, at the line`() throws {
            let folder = try SuiteFolder(
                """
                  - name: preview
                    command: [ruby, \(Self.folder)/canaries/guard.rb, "{url}"]
                    canaries: true
                """)
            let output = try folder.suite("--filter", "preview.public.public@nat64")
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("V6C-044"), output.told)
            #expect(output.standardError.contains("guard.rb:"), output.told)
        }

        @Test func `who fetches nothing is no good guard`() throws {
            let (output, told, _) = try canaries(["true", "{url}"])
            #expect(output.status == 1, output.told)
            #expect(told.count == 10 && told.keys.allSatisfy { $0.hasPrefix("public.") }, output.told)
        }

        @Test(arguments: [
            (["--canaries", "--", "curl"], "no word of the command has {url}"),
            (["--canaries"], "give a program"),
            (["--canaries", "--uplink", "host", "--", "curl", "{url}"], "leave out --uplink and --simulator"),
            (["--canaries", "--simulator", "unix:/x", "--", "curl", "{url}"], "leave out --uplink and --simulator"),
            (["--timeout", "5s", "--canaries", "--", "curl", "{url}"], "--canaries comes first"),
            (["--canaries", "--", "./no-such-program", "{url}"], "./no-such-program: not found"),
        ])
        func `a mistake is named`(_ arguments: [String], _ said: String) throws {
            let output = try run([Binaries.ipv6check] + arguments)
            #expect(output.status == 2, output.told)
            #expect(output.standardError.contains(said), output.told)
        }

        @Test func `a daemon that the environment names is left alone, and a suite says that it is needed`() throws {
            let folder = try SuiteFolder("  - { name: preview, command: [curl, \"{url}\"], canaries: true }")
            let refused = try folder.suite("--simulator", "unix:/no/such")
            #expect(refused.status == 2, refused.told)
            #expect(refused.standardError.contains("add --simulator own"), refused.told)
        }
    }
}
