// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TestResults

@Suite struct TAPTests {
    private func read(_ text: String) -> InnerResults { ResultsFormat.tap.results(in: Array(text.utf8)) }

    private func rows(_ results: InnerResults) -> [String] { results.tests.map { "\($0.outcome) \($0.id)" } }

    @Test func `test points with what belongs to them`() {
        let results = read(
            """
            TAP version 14
            1..6
            ok
            not ok 2 - in colour \\# 2
            ok 3 - later # SKIP: no network
            not ok 4 # TODO not yet
            output of a test
            okay, more of it
            ok 5 without a dash
            not ok 6 - refused
              ---
              message: "no route"
              at: shop.c
              ...
            # a comment
            """)
        #expect(
            rows(results) == [
                "passed test 1", "failed in colour # 2", "skipped later", "skipped test 4", "passed without a dash",
                "failed refused",
            ])
        #expect(results.problem == nil)
        #expect(results.tests[2].message == "no network")
        #expect(results.tests[5].message == "no route")
        #expect(results.tests[5].detail == "message: \"no route\"\nat: shop.c\n")
    }

    @Test func `subtests stand for the test that has them`() {
        let results = read(
            """
            # Subtest: login
                ok 1 - password
                # Subtest: key
                    not ok 1 - ed25519
                      ---
                      message: refused
                      ...
                    1..1
                not ok 2 - key
                  ---
                  message: 1 of 1 failed
                  ...
                1..2
            not ok 1 - login
                ok 1 - one
                1..2
            not ok 2 - short
            ok 3 - plain
            1..3
            """)
        #expect(
            rows(results) == [
                "passed login.password", "failed login.key.ed25519", "passed short.one", "failed short", "passed plain",
            ])
        #expect(results.tests[1].message == "refused", "and not that of the test around it")
        #expect(results.tests[3].message == "1 of 2 planned tests")
        #expect(results.problem == nil)
    }

    @Test func `prove with several files writes their plans, and a line of its own after each`() {
        let results = read(
            """
            ./a.t .. 
            1..2
            ok 1 - one
            not ok 2 - two
            #   Failed test 'two'
            Dubious, test returned 1 (wstat 256, 0x100)
            Failed 1/2 subtests 
            ./b.t .. 
            ok 1 - three
            1..1
            ok

            Test Summary Report
            """)
        #expect(results.problem == nil)
        #expect(results.tests.map(\.name) == ["one", "two", "three"])
        #expect(read("1..2\nok\nok\n").tests.count == 2)
    }

    @Test func `what is missing is said`() {
        #expect(read("ok 1\nok 2\n1..3\n").problem == "has 2 of 3 planned tests")
        #expect(read("ok 1\n").problem == "ends without a plan (1..1)")
        #expect(
            read("1..2\nok 1\nBail out! no database\nok 2\n").problem
                == "was given up by the runner (Bail out! no database)")
        #expect(read("1..0 # SKIP nothing to do\n").problem == "has no tests")
        #expect(read("").problem == "has no tests; prove writes them with -v")
        #expect(read("    ok 1 - lost\n").tests.map(\.name) == ["lost"])
    }
}
