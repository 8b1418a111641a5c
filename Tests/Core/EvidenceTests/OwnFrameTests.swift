import Evidence
import Testing

@Suite struct `The user's own frame` {
    @Test(arguments: [
        // C and C++
        StackFrame(function: "connect", module: "/usr/lib/x86_64-linux-gnu/libc.so.6", offset: 7),
        StackFrame(function: "_start", file: "/build/glibc/csu/../sysdeps/start.S", line: 1, module: "/home/u/app"),
        StackFrame(function: "connect", module: "/home/u/static"),
        StackFrame(function: "invoke", file: "/usr/include/c++/12/bits/invoke.h", line: 1, module: "/home/u/app"),
        // Go
        StackFrame(function: "net.Dial", file: "/usr/local/go/src/net/dial.go", line: 1, module: "/home/u/app"),
        StackFrame(function: "net.Dial", file: "net/dial.go", line: 1, module: "/home/u/app"),
        StackFrame(
            function: "x.F", file: "/root/go/pkg/mod/github.com/x/y@v1.2.3/f.go", line: 1, module: "/home/u/app"),
        StackFrame(function: "x.F", file: "github.com/x/y@v1.2.3/f.go", line: 1, module: "/home/u/app"),
        // Rust, Swift
        StackFrame(function: "connect", file: "/rustc/abc/library/std/src/net.rs", line: 1, module: "/home/u/app"),
        StackFrame(function: "send", file: "/home/u/.cargo/registry/src/h/hyper/a.rs", line: 1, module: "/home/u/app"),
        StackFrame(function: "run", file: "/home/u/app/.build/checkouts/nio/a.swift", line: 1, module: "/home/u/app"),
        // Interpreters
        StackFrame(function: "create_connection", file: "/usr/lib/python3.11/socket.py", line: 1),
        StackFrame(function: "connect", file: "/home/u/.pyenv/versions/3.11.4/lib/python3.11/socket.py", line: 1),
        StackFrame(function: "send", file: "/home/u/venv/lib/python3.11/site-packages/requests/api.py", line: 1),
        StackFrame(function: "_call", file: "<frozen importlib._bootstrap>", line: 1),
        StackFrame(function: "connect", file: "node:net", line: 1),
        StackFrame(function: "request", file: "/srv/app/node_modules/got/index.js", line: 1),
        StackFrame(function: "java.net.Socket.connect", file: "Socket.java", line: 1),
        StackFrame(function: "connect", file: "/usr/share/perl/5.36/IO/Socket.pm", line: 1),
        StackFrame(function: "connect", file: "/var/lib/gems/3.1.0/gems/faraday/a.rb", line: 1),
        StackFrame(function: "request", file: "/srv/app/vendor/guzzlehttp/a.php", line: 1),
    ])
    func `is not a library's`(frame: StackFrame) {
        #expect(frame.isOfLibrary)
        let own = StackFrame(function: "main", file: "/home/u/app.c", line: 3, module: "/home/u/app")
        #expect([frame, own, frame].own == own)
    }

    @Test(arguments: [
        StackFrame(function: "logmsg", file: "/home/u/syslog.c", line: 5, module: "/home/u/app"),
        StackFrame(function: "logmsg", module: "/home/u/app", offset: 8),
        StackFrame(function: "main.main", file: "/home/u/app/main.go", line: 3, module: "/home/u/app/app"),
        StackFrame(function: "main.main", file: "example.com/app/main.go", line: 3, module: "/home/u/app/app"),
        StackFrame(function: "open", file: "/home/u/plug.c", line: 3, module: "/home/u/libplug.so"),
        StackFrame(function: "<module>", file: "app.py", line: 6),
        StackFrame(function: "demo.App.main", file: "App.java", line: 6),
    ])
    func `is the innermost of the program`(frame: StackFrame) {
        #expect(!frame.isOfLibrary)
        let libc = StackFrame(function: "connect", module: "/lib/x86_64-linux-gnu/libc.so.6")
        #expect([libc, frame].own == frame)
    }

    @Test func `is none of an interpreter, nor of a thread that only libraries run`() {
        let python = StackFrame(
            function: "type_call", file: "Objects/typeobject.c", line: 1, module: "/opt/py/lib/libpython3.11.so.1.0")
        let start = StackFrame(function: "main", module: "/opt/py/bin/python3.11", offset: 8)
        let clone = StackFrame(
            function: "__clone3", file: "clone3.S", line: 81, module: "/lib/x86_64-linux-gnu/libc.so.6")
        #expect([python, start].own == nil)
        #expect([python, clone].own == nil)
        let installed = StackFrame(function: "_start", module: "/usr/bin/curl", offset: 8)
        #expect([clone, installed].own == installed)
    }

    @Test func `has a line if any of the program's has`() {
        let nameless = StackFrame(function: "static_helper", module: "/home/u/app", offset: 8)
        let line = StackFrame(function: "main", file: "/home/u/app.c", line: 9, module: "/home/u/app")
        #expect([nameless, line].own == line)
        #expect([nameless].own == nameless)
    }

    @Test func `is the outermost if all are of libraries`() {
        let inner = StackFrame(function: "connect", file: "/usr/lib/python3.11/socket.py", line: 1)
        let outer = StackFrame(function: "<module>", file: "/usr/share/tool/tool.py", line: 2)
        #expect([inner, outer].own == outer)
        #expect([StackFrame]().own == nil)
    }
}
