// SPDX-License-Identifier: Apache-2.0
import Sandbox
import Testing

@testable import SuiteRunner

@Suite struct RepositoryPathTests {
    private let environment = Environment(entries: ["GITHUB_WORKSPACE=/home/runner/work/shop"].map { OSString($0) })

    @Test(
        arguments: [
            ("ipv6check.yaml", "/home/runner/work/shop/ipv6check.yaml", "ipv6check.yaml"),
            ("./a.yaml", "/home/runner/work/shop/ci/./a.yaml", "ci/a.yaml"),
            ("../a.yaml", "/home/runner/work/shop/ci/../a.yaml", "a.yaml"),
            ("a.yaml", "/home/runner/work/shopping/a.yaml", "a.yaml"),
            ("./ci//a.yaml", "/elsewhere/ci/a.yaml", "ci/a.yaml"),
            ("../a.yaml", "/elsewhere/a.yaml", "../a.yaml"), ("/x/a.yaml", "/x/a.yaml", "/x/a.yaml"),
        ]) func `a file is called as the repository knows it`(_ name: String, _ absolute: String, _ expected: String)
    {
        #expect(repositoryPath(name, absolute: absolute, environment) == expected)
    }

    @Test(
        arguments: [
            ("src/a.c", "src/a.c"), ("../lib/a.c", nil), ("/home/runner/work/shop/ci/a.c", "ci/a.c"),
            ("/usr/src/a.c", nil), ("src/./../b.c", "b.c"), ("", nil), ("a\u{0}.c", nil), ("/", nil), ("..", nil),
            ("../shop/x.c", "x.c"), ("src/gone.c", nil),
        ] as [(String, String?)])
    func `a client's source is a file of the work tree, or none`(_ file: String, _ expected: String?) {
        let path = workTreePath(
            file, from: "/home/runner/work/shop", workingDirectory: "/elsewhere", environment,
            isFile: { !$0.hasSuffix("gone.c") })
        #expect(path == expected)
    }

    @Test func `without a CI service the work tree begins where the user is`() {
        let nothing = Environment(entries: [])
        func path(_ file: String) -> String? {
            workTreePath(file, from: "/x/app", workingDirectory: "/x", nothing, isFile: { _ in true })
        }
        #expect(path("a.c") == "app/a.c")
        #expect(path("../../a.c") == nil)
    }

    @Test func `a folder is no source`() {
        let nothing = Environment(entries: [])
        #expect(workTreePath("lib", from: "/usr", workingDirectory: "/usr", nothing) == nil)
    }

    @Test func `without a CI service it is called as the user does`() {
        #expect(repositoryPath("ci/a.yaml", absolute: "/x/ci/a.yaml", Environment(entries: [])) == "ci/a.yaml")
    }
}
