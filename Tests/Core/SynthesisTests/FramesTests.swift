// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The preloaded library's messages to a tracer of interpreted programs (shim/frames.h).
@Suite struct `Frames of interpreters` {
    struct Program: CustomTestStringConvertible, Sendable {
        var interpreter: String
        var source: String
        /// Line and function, the innermost first.
        var frames: [(Int, String)] = []
        var testDescription: String { interpreter }

        static let all = [
            Program(
                interpreter: "python3",
                source:
                    "import socket\ndef ask():\n    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect((\"127.0.0.1\", 9))\nask()\n",
                frames: [(3, "ask"), (4, "<module>")]),
            Program(
                interpreter: "ruby",
                source: "require \"socket\"\ndef ask\n  UDPSocket.new.connect(\"127.0.0.1\", 9)\nend\nask\n",
                frames: [(3, "ask"), (5, "<main>")]),
            Program(
                interpreter: "php",
                source: """
                    <?php
                    class Client {
                        function ask($host) {
                            return stream_socket_client("udp://$host:9");
                        }
                    }
                    function all() { array_map(fn($host) => (new Client)->ask($host), ["127.0.0.1"]); }
                    all();
                    """,
                frames: [(4, "ask"), (7, "{closure}"), (7, "all"), (8, "")]),
            Program(
                interpreter: "perl",
                source: """
                    use Socket;
                    socket(my $udp, AF_INET, SOCK_DGRAM, 0);
                    sub ask {
                        my $count = shift;
                        return ask($count - 1) if $count;
                        eval { for (1) { connect($udp, pack_sockaddr_in(9, inet_aton("127.0.0.1"))) } };
                    }
                    my $all = sub {
                        ask(1);
                    };
                    my @sorted = sort { $all->() } 1, 2;
                    """,
                frames: [(6, "ask"), (5, "ask"), (9, "__ANON__"), (11, "")]),
        ]
    }

    /// The paths that a program opens, as strace shows them.
    private func opened(by program: Program, environment: [String: String]) throws -> (file: String, calls: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-frames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "program").path
        try program.source.write(toFile: file, atomically: true, encoding: .utf8)
        let trace = folder.appending(path: "trace").path
        let variables =
            try [("LD_PRELOAD", Toolchain.shim.get()), ("IPV6CHECK_GETADDRINFO", "linux")] + Array(environment)
        try run(
            ["strace", "-f", "-e", "trace=openat,connect", "-s", "5000", "-o", trace]
                + variables.flatMap { ["-E", "\($0.0)=\($0.1)"] } + [program.interpreter, file]
        ).successful()
        return (file, try String(contentsOfFile: trace, encoding: .utf8))
    }

    private static let isPossible = (["strace"] + Program.all.map(\.interpreter)).allSatisfy(isInstalled)

    @Test(.enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"), arguments: Program.all)
    func `are told before the call`(program: Program) throws {
        let (file, calls) = try opened(by: program, environment: ["IPV6CHECK_FRAMES": "1"])
        let frames = program.frames.map { #"\#(file)\t\#($0.0)\t\#($0.1)\n"# }.joined()
        let told = #"/dev/ipv6check/frames/1\nfor=\n\#(frames)""#
        let place = try #require(calls.range(of: told), "\(calls.suffix(1000))")
        #expect(calls[place.upperBound...].contains("sin_port=htons(9)"))
    }

    @Test(.enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"), arguments: Program.all)
    func `are not told where nobody asks`(program: Program) throws {
        #expect(try !opened(by: program, environment: [:]).calls.contains("/dev/ipv6check"))
    }

    /// The names of the paths that are opened, and the calls, in their order.
    @Test(.enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"))
    func `are told of the first calls of a kind, and of the first that ends in another way`() throws {
        let source = """
            import fcntl, os, socket
            def first(udp):
                udp.connect(("127.0.0.1", 9))
            def again(udp):
                udp.connect(("127.0.0.1", 9))
            def other(udp):
                udp.connect(("127.0.0.1", 10))
            def interface(udp):
                fcntl.ioctl(udp, 0x8915, b"lo".ljust(256, b"\\0"))
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for call in first, again, again, other, interface, interface:
                call(udp)
            server = socket.socket()
            server.bind(("127.0.0.1", 0))
            def refused():
                socket.socket().connect_ex(server.getsockname())
            def accepted():
                socket.socket().connect_ex(server.getsockname())
            for _ in range(16):
                refused()
            server.listen()
            accepted()
            accepted()
            """
        let (_, calls) = try opened(
            by: Program(interpreter: "python3", source: source),
            environment: ["IPV6CHECK_FRAMES": "1"])
        let told = calls.matches(of: /frames\/1\\nfor=(?<call>\w*)\\n[^\\]*\\t\d+\\t(?<function>\w+)/)
            .map { "\($0.call) \($0.function)" }
            // Frames of the creation of a socket.
            .filter { $0 != " __init__" }
        // A kind has room for 16 calls, even from the same place.
        let refused = Array(repeating: " refused", count: 16)
        #expect(
            told == [" first", " again", " again", " other", " interface", " interface"] + refused + ["last accepted"])
    }

    /// A module's own frames come first, and text that is evaluated has a place of its own.
    @Test(.enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"))
    func `of Perl are told of its modules' calls`() throws {
        let source = """
            use IO::Socket::INET;
            sub ask { IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 9, Proto => "udp") }
            eval 'ask()';
            """
        let (file, calls) = try opened(
            by: Program(interpreter: "perl", source: source), environment: ["IPV6CHECK_FRAMES": "1"])
        let told = try #require(calls.firstMatch(of: /frames\/1\\nfor=\\n(?<frames>[^"]*)"/)).frames
        #expect(told.prefix { $0 != "\\" }.hasSuffix("/IO/Socket.pm"))
        #expect(told.contains(#"\n\#(file)\t2\task\n(eval "#) && told.hasSuffix(#"\t1\t\n\#(file)\t3\t\n"#), "\(told)")
    }

    /// A task's frames are on the stack when it runs, in any event loop.
    @Test(.enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"))
    func `of asyncio are those that wait`() throws {
        let source = """
            import asyncio
            async def ask():
                await asyncio.open_connection("localhost", 9)
            async def main():
                try:
                    await asyncio.create_task(ask())
                except OSError:
                    pass
            asyncio.run(main())
            """
        let (file, calls) = try opened(
            by: Program(interpreter: "python3", source: source), environment: ["IPV6CHECK_FRAMES": "1"])
        #expect(calls.contains(#"\topen_connection\n\#(file)\t3\task\n"#), "\(calls.suffix(1000))")
    }

    /// The files that say how the machine is connected, by each of the C library's functions that interpreters open files with.
    @Test(
        .enabled(if: isPossible, "needs strace, Python, Ruby, PHP and Perl"),
        arguments: [
            Program(
                interpreter: "python3", source: "def read():\n    open('/etc/hosts')\n    open('/etc/hosts')\nread()",
                frames: [(2, "read"), (4, "<module>")]),
            Program(
                interpreter: "ruby", source: "File.read('/etc/hosts')\nFile.read('/etc/hosts')", frames: [(1, "<main>")]
            ),
            Program(interpreter: "php", source: "<?php\nfile('/etc/hosts');", frames: [(2, "")]),
            Program(
                interpreter: "perl", source: "sub servers {\n  open(F, '<', '/etc/hosts')\n}\nservers()\n",
                frames: [(2, "servers"), (4, "")]),
        ])
    func `of the machine's files are told`(program: Program) throws {
        let (file, calls) = try opened(by: program, environment: ["IPV6CHECK_FRAMES": "1"])
        let frames = program.frames.map { #"\#(file)\t\#($0.0)\t\#($0.1)\n"# }.joined()
        let told = calls.ranges(of: #"/dev/ipv6check/frames/1\nfor=\n"#)
        let place = try #require(told.first, "\(calls.suffix(1000))")
        #expect(told.count == program.source.ranges(of: "/etc/hosts").count)
        #expect(calls[place.upperBound...].hasPrefix(frames))
        #expect(calls[place.upperBound...].contains(#""/etc/hosts""#))
    }

    /// The hook that a traced run requires. The functions that it wraps behave as before.
    @Test(.enabled(if: ["strace", "node"].allSatisfy(isInstalled), "needs strace and Node"))
    func `of Node are told before its event loop calls`() throws {
        let source = """
            import { get, createServer } from 'node:http';
            import { connect } from 'node:net';
            import dns from 'node:dns';
            import { promisify } from 'node:util';
            const failing = (start) => new Promise((resolve) => start().on('error', resolve));
            async function ask(port) {
              await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
            }
            const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
            await pause();
            await ask(8991);
            await failing(() => connect(8992, '127.0.0.1'));
            await failing(() => get('http://127.0.0.1:8993/'));
            const { address } = await promisify(dns.lookup)('localhost');
            await dns.promises.lookup('localhost');
            const server = createServer((request, answer) => {
              answer.writeHead(302, { location: 'http://127.0.0.1:8994/', connection: 'close' }).end();
            });
            await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
            await ask(server.address().port);
            server.close();
            console.log(address, fetch.name, fetch.length, get.name);
            """
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "program.mjs").path
        try source.write(toFile: file, atomically: true, encoding: .utf8)
        let trace = folder.appending(path: "trace").path
        let hook = Toolchain.root.appending(path: "Sources/Service/CheckRunner/Frames/node-frames.cjs").path
        let end = try run([
            "strace", "-f", "-e", "trace=openat,connect", "-s", "5000", "-o", trace, "node", "--require", hook, file,
        ]).successful()
        #expect(end.text.hasSuffix(" fetch 1 get\n") && !end.text.hasPrefix("undefined"), "\(end.text)")
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        for (call, lines) in [
            ("127.0.0.1 8991", #"\t7\task\n\#(file)\t11\t\n"#), ("127.0.0.1 8992", #"\t12\t\n"#),
            ("127.0.0.1 8993", #"\t13\t\n"#), ("localhost -", #"\t14\t\n"#), ("localhost -", #"\t15\t\n"#),
            ("127.0.0.1 8994", #"\t7\task\n\#(file)\t20\t\n"#),
        ] {
            #expect(calls.contains(#"/frames/1\nfor=\#(call)\n\#(file)\#(lines)"#), "\(call): \(calls.suffix(4000))")
        }
    }

    private static let shapes = ["nowhere", "zeros", "ones", "circle", "edge", "statement", "name"]

    /// The state of a program that only says it is an interpreter is read with as little trust as any.
    @Test(arguments: shapes, ["perl", "php", "other"])
    func `are not read where there are none, and nothing breaks`(shape: String, interpreter: String) throws {
        let flags = ["perl": ["-DVERSION=36"], "php": ["-DPHP"], "other": ["-DVERSION=38"]]
        let program = try Toolchain.helper(
            "pretend", as: "pretend-\(interpreter)", flags: flags[interpreter]! + ["-rdynamic"])
        let end = try run(
            [program, shape],
            environment: [
                "LD_PRELOAD": Toolchain.shim.get(), "IPV6CHECK_GETADDRINFO": "linux", "IPV6CHECK_FRAMES": "1",
            ])
        #expect(end.status == 0 && end.text == "\(shape)\n", "\(end)")
    }

    /// The launcher loads the virtual machine, and classes come from jars and folders.
    @Test(.enabled(if: ["strace", "java", "javac"].allSatisfy(isInstalled), "needs strace and a JDK"))
    func `of Java are those of its methods`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-java-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Agent.java").path
        try """
        class Agent {
            static void ask() throws Exception {
                new java.net.DatagramSocket().connect(new java.net.InetSocketAddress("127.0.0.1", 9));
            }
            public static void main(String[] words) throws Exception {
                for (int i = 0; i < 100; i++) { Thread t = new Thread(() -> {}); t.start(); t.join(); }
                ask();
            }
        }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        try run(["javac", "-g", "-d", folder.path, file]).successful()
        let trace = folder.appending(path: "trace").path
        let variables = try [
            "LD_PRELOAD=\(Toolchain.shim.get())", "IPV6CHECK_GETADDRINFO=linux", "IPV6CHECK_FRAMES=1",
        ]
        try run(
            ["strace", "-f", "-e", "trace=openat,connect", "-s", "5000", "-o", trace]
                + variables.flatMap { ["-E", $0] }
                + ["java", "-cp", folder.path, "Agent"]
        ).successful()
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        let place = try #require(
            calls.range(of: #"\nAgent.java\t3\tAgent.ask\nAgent.java\t7\tAgent.main\n"#), "\(calls.suffix(1000))")
        #expect(
            calls[place.upperBound...].contains("sin6_port=htons(9)")
                || calls[place.upperBound...].contains("sin_port=htons(9)"))
    }
}
