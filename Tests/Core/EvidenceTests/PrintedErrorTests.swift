// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Evidence

/// The outputs are those of the languages' own releases on Debian 12, shortened.
@Suite struct `Errors that a program prints` {
    private func errors(_ text: String) -> [PrintedError] { PrintedErrorReader.errors(in: text) }

    private struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let message: String
        /// Innermost first.
        let places: [String]

        init(_ language: String, _ message: String, _ places: String..., text: String) {
            (testDescription, self.message, self.places, self.text) = (language, message, places, text)
        }
    }

    @Test(arguments: Self.samples) private func `are read with their places, whatever the language`(_ sample: Sample) {
        let error = errors("connected to shop.test:80\n" + sample.text).last
        #expect(error?.message == sample.message)
        #expect(error?.frames.map { "\($0.file ?? ""):\($0.line ?? 0)" } == sample.places)
    }

    private static let samples = [
        Sample(
            "Python", "ValueError: too many values to unpack (expected 2)", "/usr/lib/python3.11/re.py:7",
            "/srv/client.py:7", "/srv/client.py:12",
            text: """
                Traceback (most recent call last):
                  File "/srv/client.py", line 12, in <module>
                    log(peer())  # see line 3 of notes.py:4
                    ^^^^^^^^^^^
                  File "/srv/client.py", line 7, in log
                    host, port = peer.split(":")
                  File "/usr/lib/python3.11/re.py", line 7, in split
                ValueError: too many values to unpack (expected 2)
                """),
        Sample(
            "Node", "TypeError: Invalid URL, input: 'http://64:ff9b::c633:640a:80/'", "/srv/url.js:4", "/srv/url.js:9",
            text: """
                /srv/url.js:4
                  const url = new URL(`http://${address}:80/`);
                              ^

                TypeError: Invalid URL
                    at new URL (node:internal/url:797:36)
                    at main (/srv/url.js:4:15)
                    at async file:///srv/url.js:9:1 {
                  code: 'ERR_INVALID_URL',
                  input: 'http://64:ff9b::c633:640a:80/'
                }

                Node.js v20.20.2
                """),
        Sample(
            "Ruby", "invalid value for Integer(): \"64:ff9b::c633:640a\" (ArgumentError)", "peers.rb:3", "peers.rb:9",
            text: """
                peers.rb:3:in `Integer': invalid value for Integer(): "64:ff9b::c633:640a" (ArgumentError)
                \tfrom peers.rb:9:in `<main>'
                """),
        Sample(
            "Perl", "strange address 64:ff9b::c633:640a", "regex.pl:7",
            text: "strange address 64:ff9b::c633:640a at regex.pl line 7, <GEN0> line 5."),
        Sample(
            "PHP", "PHP Fatal error:  Uncaught ValueError: no address", "/srv/key.php:4", "/srv/key.php:9",
            "/srv/key.php:4",
            text: """
                PHP Fatal error:  Uncaught ValueError: no address in /srv/key.php:4
                Stack trace:
                #0 /srv/key.php(9): key4()
                #1 {main}
                  thrown in /srv/key.php on line 4
                """),
        Sample(
            "Go", "panic: bad octet: strconv.Atoi: parsing \"64:ff9b::c633:640a\": invalid syntax", "/srv/main.go:18",
            "/srv/main.go:34",
            text: """
                panic: bad octet: strconv.Atoi: parsing "64:ff9b::c633:640a": invalid syntax

                goroutine 1 [running]:
                main.hash({0xc00001e0f0, 0x12})
                \t/srv/main.go:18 +0x19c
                main.main()
                \t/srv/main.go:34 +0x1d8
                exit status 2
                """),
        Sample(
            "Go's log", "dial tcp: address too many colons", "main.go:12",
            text: "2026/11/30 08:00:01 main.go:12: dial tcp: address too many colons"),
        Sample(
            "Java", "Caused by: java.lang.ClassCastException: no Inet4Address", "Key.java:4", "Key.java:11",
            text: """
                Exception in thread "main" java.lang.RuntimeException: failed
                \tat Key.main(Key.java:20)
                Caused by: java.lang.ClassCastException: no Inet4Address
                \tat Key.key(Key.java:4)
                \tat Key.main(Key.java:11)
                \t... 12 more
                """),
        Sample(
            "Rust", "called `Result::unwrap()` on an `Err` value: AddrParseError(Ip)", "src/main.rs:5",
            text: """
                thread 'main' panicked at src/main.rs:5:46:
                called `Result::unwrap()` on an `Err` value: AddrParseError(Ip)
                note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
                """),
        Sample(
            "C", "main: Assertion `fields == 4' failed", "client.c:24",
            text: "client: client.c:24: main: Assertion `fields == 4' failed."),
        Sample(
            "Swift", "Fatal error: Unexpectedly found nil while unwrapping an Optional value", "client/main.swift:5",
            text: "client/main.swift:5: Fatal error: Unexpectedly found nil while unwrapping an Optional value"),
        Sample(
            "Tcl", "can't use non-numeric string as operand of \"*\"", "client.tcl:9",
            text: """
                can't use non-numeric string as operand of "*"
                    while executing
                "expr {$a * 256 + $b}"
                    (procedure "key" line 3)
                    invoked from within
                "key $peer"
                    (file "client.tcl" line 9)
                """),
        Sample("bash", "64:ff9b: syntax error", "client.sh:8", text: "client.sh: line 8: 64:ff9b: syntax error"),
        Sample("dash", "Illegal number: 64", "client.sh:8", text: "client.sh: 8: Illegal number: 64"),
        Sample(
            "Lua", "bad argument #1 to 'byte'", "client.lua:12", "client.lua:12",
            text: "lua: client.lua:12: bad argument #1 to 'byte'\nstack traceback:\n\tclient.lua:12: in function 'key'"),
        Sample(
            "Elixir", "** (MatchError) no match of right hand side value: [\"64\"]", "client.exs:12",
            text: "** (MatchError) no match of right hand side value: [\"64\"]\n    client.exs:12: Client.key/1"),
        Sample(
            ".NET", "Unhandled exception. System.FormatException: bad", "/srv/Client.cs:12",
            text: "Unhandled exception. System.FormatException: bad\n   at Client.Main() in /srv/Client.cs:line 12"),
        Sample(
            "a sanitizer", "==9==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f", "/srv/client.c:7",
            text: """
                ==9==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f
                    #0 0x55 in key /srv/client.c:7:5
                """),
        Sample(
            "a group of Python's exceptions", "TypeError: not enough arguments", "/srv/a.py:4",
            text: """
                  + Exception Group Traceback (most recent call last):
                  |   File "/srv/a.py", line 19, in <module>
                  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
                  +-+---------------- 1 ----------------
                    | Traceback (most recent call last):
                    |   File "/srv/a.py", line 4, in zone
                    | TypeError: not enough arguments
                    +------------------------------------
                """),
        Sample(
            "a cause of Node", "TypeError: not an address", "/srv/limiter.mjs:4",
            text: """
                LimitError: no bucket
                    at take (file:///srv/limiter.mjs:11:11) {
                  [cause]: TypeError: not an address
                      at key (file:///srv/limiter.mjs:4:9)
                }
                """),
        Sample(
            "Ruby's logger", "E, [2026-11-30] ERROR -- : it is not allowed (Denied)", "acl.rb:6", "main.rb:10",
            text: "E, [2026-11-30] ERROR -- : it is not allowed (Denied)\nacl.rb:6:in `check'\nmain.rb:10:in `<main>'"),
        Sample(
            "pytest", "ValueError: not enough values", "netinfo.py:8",
            text: "E       ValueError: not enough values\n\nnetinfo.py:8: ValueError"),
        Sample(
            "pytest, shortened", "ValueError: not enough values", "netinfo.py:8",
            text: "netinfo.py:8: in reverse_zone\n    a, b = x\nE   ValueError: not enough values"),
        Sample(
            "minitest", "AclTest#test_x: Expected: 4", "test_acl.rb:9",
            text: "  1) Failure:\nAclTest#test_x [test_acl.rb:9]:\nExpected: 4\n  Actual: 1"),
        Sample(
            "Go's tests", "Split: bad address 64:ff9b::1", "peer_test.go:12",
            text: "--- FAIL: TestSplit (0.00s)\n    peer_test.go:12: Split: bad address 64:ff9b::1"),
        Sample(
            "googletest", "Failure: Value of: first == 198", "/srv/peer.cpp:23",
            text: "/srv/peer.cpp:23: Failure\nValue of: first == 198"),
        Sample(
            "prove", "Failed test 'zone'", "zone.t:11", text: "not ok 1\n#   Failed test 'zone'\n#   at zone.t line 11."
        ),
        Sample(
            "a log in JSON", "IndexError: list index out of range", "/srv/a.py:7",
            text:
                #"{"level":"error","exc":"Traceback (most recent call last):\n  File \"/srv/a.py\", line 7, in f\nIndexError: list index out of range"}"#
        ),
        Sample(
            "a goroutine whose maker is traced", "panic: runtime error: index out of range [3]", "/srv/main.go:12",
            "/srv/main.go:45",
            text: """
                panic: runtime error: index out of range [3]

                goroutine 6 [running]:
                main.number(...)
                \t/srv/main.go:12
                [originating from goroutine 1]:
                main.main()
                \t/srv/main.go:45 +0x100
                """),
        Sample(
            "colours", "ValueError: no", "/srv/client.py:7",
            text:
                "\u{1b}[1mTraceback (most recent call last):\u{1b}[0m\n  File \"/srv/client.py\", line 7\n\u{1b}[31mValueError: no"
        ),
    ]

    @Test(arguments: [
        "connect to shop.test:80 failed", "GET http://shop.test/app.js:80 HTTP/1.1", "listening on 0.0.0.0:8080",
        "read 12 lines", "see line 4", "10:30:15 ready", "<STDIN> line 5.", "(eval 3)", "", "client.py", "client.py:0",
        "client.py:99999999999", "at line", "1:1:1:1:1:1", "x://.c:1.c:1.c:1",
        "client.py: 64:ff9b::c633:640a is not ours",
    ])
    func `other lines hold none`(_ line: String) {
        #expect(errors(line).allSatisfy { $0.frames.allSatisfy { $0.file?.hasPrefix("<") == true } })
    }

    @Test func `an error that tells of another one before it is a consequence`() {
        let python = """
            Traceback (most recent call last):
              File "/srv/jobs.py", line 6, in locate
            ValueError: no

            The above exception was the direct cause of the following exception:

            Traceback (most recent call last):
              File "/srv/main.py", line 9, in main
            JobError: failed
            """
        #expect(errors(python).map(\.isConsequence) == [false, true])
        let php = "PHP Fatal error:  Uncaught TypeError: bad in /srv/main.php:7\nNext Failure: no in /srv/main.php:19"
        #expect(errors(php).map(\.isConsequence) == [false, true])
        #expect(
            errors("Error: Command failed: python3 a.py\n    at run (/srv/run.js:2:3)").map(\.isConsequence) == [true])
    }

    @Test func `the last ones are kept, and each is bounded`() {
        let many = (1...100).map { "client.c:\($0): error \($0)" }.joined(separator: "\n")
        #expect(errors(many).map(\.frames[0].line) == Array(85...100))
        let deep = "x: no\n" + String(repeating: "    at f (client.js:3:1)\n", count: 1000)
        #expect(errors(deep).map(\.frames.count) == [64])
        let python =
            "Traceback (most recent call last):\n" + String(repeating: "  File \"a.py\", line 3, in f\n", count: 1000)
        #expect(errors(python + "RecursionError: x").map(\.frames.count) == [64])
        #expect(errors("client.c:3: " + String(repeating: "x", count: 10_000))[0].message.count == 161)
        #expect(errors("Traceback (most recent call last):\n  File \"a.py\", line 3").isEmpty == false, "cut off")
    }
}
