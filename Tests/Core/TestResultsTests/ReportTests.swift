// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import TestResults

/// Reports as test runners wrote them (fixtures/test-results). Those of Surefire, nextest and Jest are written by hand: the first
/// after its schema, the others after what their documentation shows.
@Suite struct RunnerReportTests {
    private func results(_ file: String, _ format: ResultsFormat) throws -> InnerResults {
        format.results(in: Array(try Data(contentsOf: URL(filePath: "\(projectRoot)fixtures/test-results/\(file)"))))
    }

    private func rows(_ results: InnerResults) -> [String] { results.tests.map { "\($0.outcome) \($0.id)" } }

    @Test func `pytest`() throws {
        let results = try results("pytest.xml", .junit)
        #expect(
            rows(results) == [
                "passed test_shop.test_login", "passed test_shop.test_avatar", "passed test_shop.TestCart.test_add[1]",
                #"passed test_shop.TestCart.test_add[a\x01b]"#, "skipped test_shop.TestCart.test_pay",
                "failed test_shop.test_always",
            ])
        #expect(results.problem == nil)
        #expect(results.tests[4].message == "no licence")
        #expect(results.tests[5].message == "assert 1 == 2")
        #expect(results.tests[5].detail.contains("test_shop.py:10: AssertionError"))
    }

    @Test(arguments: [
        (#"<testsuite tests="5" failures="2"><testcase name="x"/></testsuite>"#, "announces 2 failures, and has none"),
        (#"<testsuite tests="5"><testcase name="x"/></testsuite>"#, "announces 5 tests, and has 1"),
        (
            #"<testsuites tests="2"><testsuite><testcase name="x"/></testsuite></testsuites>"#,
            "announces 2 tests, and has 1"
        ),
        (
            #"<testsuite tests="1"><error message="boom"/><testcase name="x"/></testsuite>"#,
            "has an error of a whole test suite: boom"
        ),
        (#"<testsuite tests="3" skipped="1" disabled="1"><testcase name="x"/></testsuite>"#, nil),
        (#"<testsuite tests="1" failures="1" errors="1"><testcase name="x"><failure/></testcase></testsuite>"#, nil),
        (#"<testsuite tests="many"><testcase name="x"/></testsuite>"#, nil),
    ])
    func `a JUnit report that announces more than it has is none`(_ report: String, _ problem: String?) {
        #expect(ResultsFormat.junit.results(in: Array(report.utf8)).problem == problem)
    }

    @Test func `node's own runner, as JUnit and as TAP`() throws {
        let expected = ["passed login", "passed cart.add", "passed cart.reach", "skipped cart.later", "failed always"]
        for (file, format) in [("node.xml", ResultsFormat.junit), ("node.tap", .tap)] {
            let results = try results(file, format)
            #expect(rows(results) == expected)
            #expect(results.problem == nil)
            #expect(results.tests[4].message.hasPrefix("Expected values to be strictly equal:"))
            #expect(results.tests[4].detail.contains("ERR_ASSERTION"))
        }
    }

    @Test func `go, with a test that panics and a package that is not built`() throws {
        let results = try results("go.ndjson", .goTest)
        #expect(
            rows(results) == [
                "passed example.com/shop.TestLogin/password", "failed example.com/shop.TestLogin/key",
                "skipped example.com/shop.TestLogout", "passed example.com/shop.TestPlain",
                "failed example.com/shop.TestCrash", "failed example.com/shop/bad.(package)",
            ])
        #expect(results.tests[1].message == "shop_test.go:3: refused")
        #expect(results.tests[4].detail.contains("panic: oh"))
    }

    @Test func `go, with a result of its cache, which is none of this run`() throws {
        let results = try results("go-cached.ndjson", .goTest)
        #expect(rows(results) == ["passed example.com/shop.TestA"])
        let problem = try #require(results.problem)
        #expect(
            problem.hasPrefix("has results of an earlier run (ok   example.com/shop (cached))"),
            Comment(rawValue: problem))
        #expect(results.isFromCache)
        // A test may print such a line, and a package that was tested has its time there.
        let tested = ResultsFormat.goTest.results(
            in: Array(
                #"""
                {"Action":"output","Package":"p","Test":"TestA","Output":"ok  \tq\t(cached)\n"}
                {"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}
                {"Action":"output","Package":"p","Output":"ok  \tp\t0.010s\n"}
                {"Action":"pass","Package":"p","Elapsed":0.01}
                """#.utf8))
        #expect(tested.problem == nil && !tested.isFromCache)
    }

    @Test func `CTest, whose classes are its tests`() throws {
        let results = try results("ctest.xml", .junit)
        #expect(rows(results) == ["passed login", "failed avatar", "skipped pay", "skipped export", "skipped gone"])
    }

    @Test func `Surefire, with repeated tests and a test that prints XML`() throws {
        let results = try results("surefire.xml", .junit)
        #expect(
            rows(results) == [
                "passed shop.ClientTest.steady", "passed shop.ClientTest.unsteady", "failed shop.ClientTest.reaches",
            ])
        #expect(results.tests[2].message == "Network is unreachable & more")
        #expect(results.tests[2].detail.hasPrefix("java.net.ConnectException: Network is unreachable\n"))
        #expect(results.tests[2].seconds == 0.031)
    }

    @Test func `cargo test, which says why a test failed in its output only`() throws {
        let results = try results("cargo.xml", .junit)
        #expect(
            rows(results) == [
                "passed tests.adds", "failed tests.connects_to_a_literal", "passed tests.connects_by_name",
            ])
        #expect(results.tests[1].message.hasPrefix("thread 'tests::connects_to_a_literal'"))
        #expect(results.tests[1].detail.contains("NetworkUnreachable"))
    }

    @Test func `nextest, with a test that it ran again`() throws {
        let results = try results("nextest.xml", .junit)
        #expect(
            rows(results) == [
                "passed shop::api.lists_items", "failed shop::api.reaches_the_mirror", "passed shop::api.is_late_once",
            ])
        #expect(results.tests[1].message == "thread 'reaches_the_mirror' panicked at tests/api.rs:19:5:")
        #expect(!results.tests[1].detail.contains("the second time"))
    }

    @Test func `Gradle`() throws {
        let results = try results("gradle.xml", .junit)
        #expect(
            rows(results) == [
                "skipped ShopTest.isLeftOut", "passed ShopTest.adds", "passed ShopTest.connectsByName",
                "failed ShopTest.connectsToALiteral",
            ])
        #expect(results.tests[3].message == "java.net.SocketException: Network is unreachable")
    }

    @Test func `Jest, whose classes are its tests' names`() throws {
        let results = try results("jest.xml", .junit)
        #expect(rows(results) == ["passed cart adds an item", "failed cart reaches the shop", "skipped cart pays"])
        #expect(results.tests[1].message == "Error: connect ENETUNREACH 198.51.100.7:7")
    }
}
