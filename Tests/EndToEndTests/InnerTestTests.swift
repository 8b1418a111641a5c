// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

extension EndToEnd {
    /// Suites whose clients are test runners (`import:`).
    @Suite struct InnerTestTests {
        private static let pytest = """
            import socket

            def test_name(): socket.create_connection(("shop.test", 80), 5).close()
            def test_literal(): socket.create_connection(("198.51.100.20", 80), 5).close()
            def test_always(): assert 1 == 2
            """

        @Test func `each test of pytest is judged by itself`() throws {
            try #require(try run(["python3", "-c", "import pytest"]).status == 0, "needs pytest")
            let folder = try SuiteFolder(
                """
                  - name: integration
                    command: python3 -m pytest -q -p no:cacheprovider test_shop.py --junitxml=$OUT/junit.xml
                    import: { junit: junit.xml }
                """, files: ["test_shop.py": Self.pytest])
            let output = try folder.suite("--junit", "j.xml", "--tap", "-", "--results", "r.ndjson")
            #expect(output.status == 1)
            #expect(
                output.standardError.contains(
                    "1 of 3 tests fails here and passes on dual-stack, 1 fails on dual-stack too; V6C-001 198.51.100.20 tcp/80"
                ), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("fails on nat64; some of its tests pass on dual-stack only"))
            #expect(output.text.contains("\nok 2 - integration/test_shop.test_name@nat64\n"))
            #expect(output.text.contains("\nnot ok 3 - integration/test_shop.test_literal@nat64\n"))
            #expect(output.text.hasPrefix("TAP version 14\n1..4\n"))
            let xml = try folder.read("j.xml")
            #expect(xml.contains(#"tests="4" failures="2" errors="1""#))
            #expect(xml.contains(#"classname="shop.nat64.integration.test_shop" name="test_literal""#))
            let merged = try run(["env", "-C", folder.path, Binaries.ipv6check, "merge", "r.ndjson", "--tap", "-"])
            #expect(merged.status == 1 && merged.text == output.text)
        }

        @Test func `node's TAP and go's JSON come through standard output`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: node, command: [node, --test, "--test-reporter=tap"], import: tap }
                  - { name: go, command: [cat, go.ndjson], import: go-test }
                """,
                files: [
                    "a.test.js": """
                    const {test} = require('node:test'), http = require('node:http');
                    const get = (url) => (t, done) => http.get(url, (r) => { r.resume(); r.on('end', done); }).on('error', done);
                    test('name', get('http://shop.test/'));
                    test('literal', get('http://198.51.100.10/'));
                    """,
                    "go.ndjson": """
                    {"Action":"pass","Package":"p","Test":"TestA"}
                    {"Action":"pass","Package":"p"}
                    """,
                ])
            let output = try folder.suite("--tap", "-")
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.text.contains("\nok 2 - node/name@nat64\nnot ok 3 - node/literal@nat64\n"))
            #expect(output.text.contains("\nok 4 - go@nat64\nok 5 - go/p.TestA@nat64\n"))
        }

        private static let goTest = [
            "go.mod": "module shop\n\ngo 1.19\n",
            "shop_test.go": """
            package shop

            import (
            \t"net/http"
            \t"testing"
            )

            func TestLiteral(t *testing.T) {
            \treply, err := http.Get("http://198.51.100.10/")
            \tif err != nil {
            \t\tt.Fatal(err)
            \t}
            \treply.Body.Close()
            }
            """,
        ]

        /// The environment of a Go with its own caches and configuration.
        private func goEnvironment() throws -> [String: String] {
            let home = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(
                at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
            return ["HOME": home.path, "GOENV": home.appending(path: "goenv").path]
        }

        @Test func `what passed on dual-stack does not pass on nat64 by Go's cache`() throws {
            let folder = try SuiteFolder(
                "  - { name: unit, command: [go, test, -json, ./...], import: { go-test: '-' }, slow: 5m }",
                files: Self.goTest)
            let environment = try goEnvironment()
            try Data("GOFLAGS=-vet=off -run=TestLit\n".utf8).write(to: URL(filePath: environment["GOENV"]!))
            for _ in 1...2 {
                let output = try folder.suite(environment: environment)
                #expect(output.status == 1 && output.outcomes["unit@nat64"] == "FAIL", output.told)
                #expect(output.standardError.contains("1 of 1 test fails here and passes on dual-stack"), output.told)
            }
            for _ in 1...2 {
                let output = try folder.command(
                    ["--getaddrinfo", "linux", "go", "test", "./..."], environment: environment)
                #expect(output.status == 1, output.told)
                #expect(output.standardError.contains("-count=1 was added to GOFLAGS"), output.told)
            }
            let flags = try folder.command(["go", "env", "GOFLAGS"], environment: environment)
            #expect(flags.text == "-count=1 -vet=off -run=TestLit\n", flags.told)
            #expect(!flags.standardError.contains("was added"), flags.told)
        }

        @Test func `a result of Go's cache is an error of the case, where the user wants it`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: unit, command: [go, test, -json, ./...], import: { go-test: '-' }, caches: keep }
                  - { name: own, command: "GOFLAGS=-vet=off go test -json ./...", import: { go-test: '-' } }
                """, files: Self.goTest)
            let environment = try goEnvironment()
            // The control run fills the cache, which keeps a different output for runs without -json.
            _ = try folder.command(["--caches", "keep", "go", "test", "-json", "./..."], environment: environment)
            let output = try folder.suite(environment: environment)
            #expect(output.status == 1, output.told)
            #expect(output.outcomes == ["unit@nat64": "ERROR", "own@nat64": "ERROR"], output.told)
            #expect(output.standardError.contains("has results of an earlier run (ok"), output.told)
        }

        @Test(arguments: [
            ("ln -s /dev/zero $OUT/r", "is no regular file"), ("mkfifo $OUT/r", "is no regular file"),
            ("mkdir $OUT/r", "is no regular file"), ("truncate -s 70M $OUT/r", "is larger than 64 MiB"),
            ("true", "was not written to $OUT"), ("echo '<!DOCTYPE a>' > $OUT/r", "has a document type"),
            ("head -c 30M /dev/zero > $OUT/r", "is no XML in line 1"),
        ])
        func `a report that cannot be read is said, and keeps nobody waiting`(_ command: String, _ problem: String)
            throws
        {
            let folder = try SuiteFolder("  - { name: a, command: \"\(command)\", import: { junit: r } }")
            let output = try folder.suite()
            #expect(output.status == 3, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("the report r \(problem)"), Comment(rawValue: output.standardError))
        }
    }
}
