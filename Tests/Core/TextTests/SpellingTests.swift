// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct `The nearest word` {
    @Test(arguments: [
        ("docter", "doctor"), ("shel", "shell"), ("Resolv", "resolve"), ("doctor", "doctor"), ("hsell", "shell"),
    ])
    func `is found across a slip`(text: String, word: String) {
        #expect(nearestWord(to: text, among: ["shell", "resolve", "doctor"]) == word)
    }

    @Test(arguments: ["", "curl", "my-binary", "d"])
    func `is none where all are far`(text: String) {
        #expect(nearestWord(to: text, among: ["shell", "resolve", "doctor"]) == nil)
    }
}
