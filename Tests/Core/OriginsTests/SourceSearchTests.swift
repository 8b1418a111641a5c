// SPDX-License-Identifier: Apache-2.0
import Evidence
import Origins
import Testing

/// Which line of a script starts a program.
@Suite struct SourceSearchTests {
    private func line(of arguments: String..., in script: String) -> Int? {
        var search = SourceSearch()
        search.add(file: Array(script.utf8), path: "deploy.sh")
        return search.place(ofCommand: arguments)?.line
    }

    private let script = """
        #!/bin/sh
        # curl is used below
        command -v curl >/dev/null || exit 1
        log "deploy"
        curl -sf -4 "$URL/status"
        ip -4 route show default | grep -q . || exit 1
        for host in $HOSTS; do
            ping -c1 -W1 "$host"
        done
        """

    @Test func `the line with the name and the arguments is named`() {
        #expect(line(of: "curl", "-sf", "-4", "http://shop.test/status", in: script) == 5)
        #expect(line(of: "/usr/bin/ip", "-4", "route", "show", "default", in: script) == 6)
        #expect(line(of: "ping", "-c1", "-W1", "198.51.100.10", in: script) == 8)
    }

    @Test func `the line with more of the arguments is meant`() {
        let both = "curl -s http://a.test/\ncurl -s -4 http://b.test/\n"
        #expect(line(of: "curl", "-s", "-4", "http://b.test/", in: both) == 2)
    }

    @Test func `no line is named where two fit, where none does, or where a longer word has the name`() {
        #expect(line(of: "curl", "-s", "x", in: "curl -s $A\ncurl -s $B\n") == nil)
        #expect(line(of: "wget", "-q", in: script) == nil)
        #expect(line(of: "curl", "-s", in: "libcurl -s\ncurl-config -s\n") == nil)
        #expect(line(of: "curl", "-s", in: "echo curl\necho curl is missing\n") == nil)
    }

    @Test func `a source of another language is searched as well`() {
        let source = "import subprocess\nsubprocess.run([\"ping\", \"-c1\", host])\n"
        #expect(line(of: "ping", "-c1", "198.51.100.10", in: source) == 2)
    }

    @Test func `a file that is no text is not searched`() {
        var search = SourceSearch()
        search.add(file: [0] + Array("curl -s".utf8), path: "a.bin")
        #expect(search.place(ofCommand: ["curl", "-s"]) == nil)
    }

    @Test func `bash's own connections stand where /dev/tcp does, if that is once`() {
        var search = SourceSearch()
        search.add(file: Array("a\nexec 3<>/dev/tcp/$HOST/80\n".utf8), path: "a.sh")
        #expect(search.place(ofOneOf: ["/dev/tcp/"]) == StackFrame(file: "a.sh", line: 2))
        search.add(file: Array("cat < /dev/tcp/$HOST/81\n".utf8), path: "b.sh")
        #expect(search.place(ofOneOf: ["/dev/tcp/"]) == nil)
    }

    @Test func `a function that connects stands where it is called, if that is once`() {
        var search = SourceSearch()
        search.add(file: Array("def f():\n  reopen_connection(a)\n  await aio.open_connection(a)\n".utf8), path: "a.py")
        #expect(search.place(ofOneOf: ["open_connection("])?.line == 3)
        #expect(search.place(ofOneOf: ["connect(", "open_connection("])?.line == 3)
        #expect(search.place(ofOneOf: ["open_connection(", "f():"]) == nil)
        #expect(search.place(ofOneOf: []) == nil)
        #expect(search.place(ofOneOf: ["open_connection(", "f():"], with: ["open_connection("])?.line == 3)
        #expect(search.place(ofOneOf: ["open_connection("], with: ["async with "]) == nil)
    }

    @Test func `a word stands where no longer one, and no comment, has it`() {
        var search = SourceSearch()
        search.add(
            file: Array(
                "# AF_INET\nx = AF_INET6 # not AF_INET\nMY_AF_INET = 0\ny = socket.AF_INET\ncurl --a-4 -48\n".utf8),
            path: "a.py")
        #expect(search.place(ofWords: ["AF_INET"]) == StackFrame(file: "a.py", line: 4))
        #expect(search.place(ofWords: ["-4"]) == nil)
        search.add(file: Array("f(AF_INET)\ncurl -4\n".utf8), path: "b.py")
        #expect(search.place(ofWords: ["AF_INET"]) == nil)
        #expect(search.place(ofWords: ["-4"])?.line == 2)
        search.add(file: Array("g(AF_INET6 if six else PF_INET)\n".utf8), path: "c.py")
        #expect(search.place(ofWords: ["PF_INET"])?.file == "c.py")
        #expect(search.place(ofWords: ["PF_INET"], without: ["AF_INET6"]) == nil)
    }
}
