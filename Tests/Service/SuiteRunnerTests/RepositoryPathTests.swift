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

    @Test func `without a CI service it is called as the user does`() {
        #expect(repositoryPath("ci/a.yaml", absolute: "/x/ci/a.yaml", Environment(entries: [])) == "ci/a.yaml")
    }
}
