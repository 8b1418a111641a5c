// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct `A written duration` {
    @Test(arguments: [
        ("90", 90_000), ("1.5", 1_500), ("250ms", 250), ("0.25s", 250), ("5m", 300_000), ("2h", 7_200_000), ("0", 0),
        ("0.5h", 1_800_000),
    ])
    func `is written as people do`(text: String, milliseconds: Int) {
        #expect(Duration(written: text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "-1", "+5", "0x10", "1.", ".5", "1.2.3", "5 m", "5d", "m", "1e3", "1e1s", "99999999999999999999",
        "9999999h",
        "١", "1.x", "½", "inf", "nan",
    ])
    func `is not written as nobody does`(text: String) {
        #expect(Duration(written: text) == nil)
    }

    @Test func `has to be in its range`() {
        let range = Duration.milliseconds(1)...Duration.seconds(60)
        #expect(Duration(written: "0", in: range) == nil)
        #expect(Duration(written: "1ms", in: range) == .milliseconds(1))
        #expect(Duration(written: "1m", in: range) == .seconds(60))
        #expect(Duration(written: "61", in: range) == nil)
    }
}
