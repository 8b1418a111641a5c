// SPDX-License-Identifier: Apache-2.0
import Evidence
import Origins
import Testing

/// Which line of a source has the words that a program printed.
@Suite struct PrintedWordsTests {
    private func line(of words: String, in source: String) -> Int? {
        var search = SourceSearch()
        search.add(file: Array(source.utf8), path: "peers")
        return search.place(ofWords: words)?.line
    }

    @Test(arguments: [
        #"    sys.exit(f"peers: cannot use {address} as a key")"#,
        #"  abort "peers: cannot use #{ip} as a key" unless ok"#,
        #"  *) echo peers: cannot use $a as a key >&2; exit 4;;"#,
        #"    fprintf(stderr, "%s: cannot use %s as a key\n", name, text);"#,
        #"    fwrite(STDERR, 'peers: cannot use ' . $ip . ' as a key');"#,
        #"    console.error(`peers: cannot use ${peer} as a key`);"#,
        #"    fatalError("peers: cannot use \(address) as a key.")"#,
        #"    die "peers: cannot use $h as a key\n";"#,
        #"    puts stderr "peers: cannot use $p as a key""#,
    ])
    func `words between which a program puts something are found`(statement: String) {
        let source = "import net\naddress = connect()\n\(statement)\nprint(\"cannot be reached\")\n"
        #expect(line(of: "peers: cannot use 64:ff9b::c633:6407 as a key", in: source) == 3)
    }

    @Test(arguments: [
        (#"perror("inet_ntop");"#, "inet_ntop: No space left on device"),
        (#"print("lookup:", error)"#, "lookup: no address"),
        (#"log.Fatalf("dial: %v", err)"#, "dial: no route"), (#"warn "bind: #{e}""#, "bind: denied"),
    ]) func `a label before an error is found by its quotation marks`(statement: String, words: String) {
        let source = "import net\n\(statement)\nx = inet_ntop(lookup, dial, bind)\n"
        #expect(line(of: words, in: source) == 2)
        #expect(line(of: words, in: source + statement) == nil, "two lines have it")
        #expect(line(of: "Error: no address", in: "print(\"Error:\", error)\n") == nil, "any runtime prints that")
    }

    @Test func `quotation marks around an error's text, and letters of any script, are part of it`() {
        #expect(line(of: #"Error: "no room for 64:ff9b::1""#, in: #"Err(format!("no room for {}", a))"#) == 1)
        let debugged = #"Error: "slot of 64:ff9b::1 cannot be made""#
        #expect(line(of: debugged, in: #"Err(format!("slot of {} cannot be made", ip))"#) == 1)
        #expect(line(of: "エラー: アドレスがありません", in: "raise Exception('アドレスがありません')") == 1)
    }

    @Test func `none of two lines that may have printed the words is meant`() {
        let source = "fail(\"cannot use the peer %s\")\n"
        #expect(line(of: "cannot use the peer 64:ff9b::1", in: source) == 1)
        #expect(line(of: "cannot use the peer 64:ff9b::1", in: source + "die(\"cannot use the peer $p\")\n") == nil)
        let other = "log(\"%s is not %s\")\nfail(\"the peer is not known\")\n"
        #expect(line(of: "the peer is not known", in: other) == nil)
    }

    @Test func `a text that goes on otherwise is not what was printed, nor is a comment, a name or an option`() {
        let words = "git: could not resolve db.shop.test with --no-fallback-at-all"
        #expect(line(of: words, in: "echo \"could not resolve the mirror\"\n") == nil)
        #expect(line(of: words, in: "echo \"it could not resolve $host\"\n") == nil)
        #expect(line(of: words, in: "# \"could not resolve\"\n") == nil)
        #expect(line(of: words, in: "fetch(\"db.shop.test\", \"--no-fallback-at-all\")\n") == nil)
        #expect(line(of: words, in: "echo \"could not resolve $host\"\n") == 1)
    }

    @Test func `short and odd words have no place`() {
        for words in ["", "x", "is not", "        ", "\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}\u{7}"] {
            #expect(line(of: words, in: "print(\"\(words)\")\nprint(x)\n") == nil)
        }
    }

    @Test func `a line of one octet over and over takes no long time`() {
        let same = String(repeating: "a ", count: 80)
        let source = String(repeating: "print(\"" + String(repeating: "a ", count: 1000) + "\")\n", count: 20)
        var found: Int?
        #expect(ContinuousClock().measure { found = line(of: same, in: source) } < .seconds(20))
        #expect(found == nil)
    }
}
