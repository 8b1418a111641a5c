// SPDX-License-Identifier: Apache-2.0
import SourceScan
import Testing

/// gitignore(5), held against `git check-ignore` of git 2.39.
struct IgnoreFileTests {
    private func ignores(_ text: String, _ path: String) -> Bool? {
        let isFolder = path.hasSuffix("/")
        return IgnoreFile(Array(text.utf8)).ignores(
            Array((isFolder ? String(path.dropLast()) : path).utf8), isFolder: isFolder)
    }

    @Test(arguments: [
        ("a.c", "a.c"), ("a.c", "x/y/a.c"), ("/a.c", "a.c"), ("x/a.c", "x/a.c"), ("out/", "out/"), ("out/", "x/out/"),
        ("*.c", "x/a.c"), ("x/*.c", "x/a.c"), ("a?c", "abc"), ("a[b-d]c", "acc"), ("a[!b]c", "acc"), ("a[]]c", "a]c"),
        ("**/a", "a"), ("**/a", "x/y/a"), ("x/**", "x/y/z"), ("x/**/a", "x/a"), ("x/**/a", "x/y/z/a"), ("\\#a", "#a"),
        ("\\!a", "!a"), ("a  ", "a"), ("a\\ ", "a "), ("a\r", "a"), ("!a\na", "a"), ("a**b", "axb"), ("*", "a"),
        ("a/**/**/b", "a/b"), ("**", "x/y"),
    ])
    func `a pattern ignores`(text: String, path: String) { #expect(ignores(text, path) == true) }

    @Test(arguments: [
        ("/a.c", "x/a.c"), ("x/a.c", "y/x/a.c"), ("out/", "out"), ("x/*.c", "x/y/a.c"), ("a?c", "a/c"),
        ("a[!b]c", "abc"),
        ("x/**", "x/"), ("x/**/a", "xa"), ("#a", "#a"), ("", "a"), ("a[", "a["), ("a\\", "a"), ("**/a", "ba"),
        ("a", "ab"),
        ("x/**/a", "x/ya"), ("/", "a"), ("!", "a"),
    ])
    func `a pattern says nothing of others`(text: String, path: String) { #expect(ignores(text, path) == nil) }

    @Test func `the last pattern decides`() {
        #expect(ignores("*.c\n!a.c", "a.c") == false)
        #expect(ignores("*.c\n!a.c\n/a.c", "a.c") == true)
    }

    @Test func `a hostile pattern takes no long time`() {
        let stars = String(repeating: "*a", count: 500)
        #expect(ignores(stars, String(repeating: "a", count: 4000) + "b") == nil)
    }
}
