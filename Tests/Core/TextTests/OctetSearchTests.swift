// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct OctetSearchTests {
    @Test(arguments: [
        ("/usr/lib/libc.so.6", ".so.", true), ("/a/site-packages/b.py", "/site-packages/", true), ("aab", "ab", true),
        ("ab", "abc", false), ("", "a", false), ("a", "", true), ("", "", true), ("größer", "öß", true),
        ("abc", "d", false),
    ])
    func `finds a part wherever it is`(text: String, part: String, isThere: Bool) {
        #expect(text.hasOctets(of: part) == isThere)
    }

    @Test func `knows no characters`() {
        // é as one code point, and as two.
        #expect("caf\u{e9}".contains("e\u{301}"))
        #expect(!"caf\u{e9}".hasOctets(of: "e\u{301}"))
    }
}
