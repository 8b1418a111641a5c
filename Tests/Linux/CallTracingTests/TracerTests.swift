// SPDX-License-Identifier: Apache-2.0
import CTracedChild
import Evidence
import Glibc
import LinuxNet
import Testing
import TestSupport
import Wire

@testable import CallTracing

/// Programs that are followed: each is started as the keeper starts a client.
@Suite(.serialized) struct `A program that is followed` {
    /// Runs a Python program, and says what was seen of it, and its exit status.
    private func follow(_ program: String, by interpreter: [String] = ["/usr/bin/python3", "-Ic"]) throws -> (
        Trace, Int32
    ) {
        var gate: [Int32] = [0, 0]
        try #require(unsafe pipe(&gate) == 0)
        let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in gate + [null] { close(descriptor) } }
        let words = interpreter + [program]
        let child = unsafe words.withCStrings { unsafe ctracedchild_start(words[0], $0, &gate, null) }
        try #require(child.process > 0)
        let tracer = try Tracer(following: child.process, since: MonotonicClock.now())
        var octet: UInt8 = 1
        _ = unsafe write(gate[1], &octet, 1)
        let trace = try #require(tracer.finish(until: MonotonicClock.now() + .seconds(60)))
        return (trace, ctracedchild_end(child))
    }

    /// The thread that found it must not be the one that waits for its own end.
    @Test func `that cannot be followed is told so, every time`() {
        for _ in 0..<200 { #expect(throws: SystemError.self) { try Tracer(following: 1 << 30, since: .zero) } }
    }

    private func connections(_ trace: Trace) -> [TracedCall] { trace.evidence.calls.filter { $0.name == .connect } }

    @Test func `is seen to connect, with the result`() throws {
        let (trace, status) = try follow(
            """
            import socket
            listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen()
            port = listener.getsockname()[1]
            socket.create_connection(("127.0.0.1", port)).close()
            listener.close()
            try: socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError: pass
            """)
        #expect(status == 0)
        let connections = connections(trace)
        #expect(connections.map(\.outcome) == [.succeeded(0), .failed(.connectionRefused)])
        #expect(connections.allSatisfy { $0.address?.ip == .ipv4(IPv4Address(127, 0, 0, 1)) })
        #expect(connections.allSatisfy { $0.socket == SocketKind(family: 2, type: 1, protocol: 6) })
        let listen = try #require(trace.evidence.calls.first { $0.name == .listen })
        #expect(listen.address?.port == connections[0].address?.port)
        #expect(trace.evidence.programs.map(\.executable).allSatisfy { $0.contains("python3") })
        #expect(trace.evidence.programs.first?.arguments.prefix(2) == ["/usr/bin/python3", "-Ic"])
    }

    @Test func `tells how a connection ended that did not block`() throws {
        let (trace, _) = try follow(
            """
            import socket, select
            listener = socket.socket(); listener.bind(("127.0.0.1", 0)); address = listener.getsockname(); listener.listen()
            def attempt():
                s = socket.socket(); s.setblocking(False); s.connect_ex(address)
                select.select([], [s], [], 5)
                return s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            attempt()
            """)
        let connection = try #require(connections(trace).first)
        #expect(connection.outcome == .succeeded(0))
    }

    @Test func `is followed into its children, threads and what they execute`() throws {
        let (trace, status) = try follow(
            """
            import socket, subprocess, threading, sys, os
            code = 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", %d))'
            subprocess.run([sys.executable, "-Ic", code % 9])
            def send(): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 10))
            thread = threading.Thread(target=send); thread.start(); thread.join()
            if os.fork() == 0:
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 11)); os._exit(0)
            os.wait()
            """)
        #expect(status == 0)
        let sent = trace.evidence.calls.filter { $0.name == .sendto }
        #expect(Set(sent.compactMap { $0.address?.port }) == [9, 10, 11])
        #expect(sent.allSatisfy { $0.outcome == .succeeded(1) })
        let programs = trace.evidence.programs
        #expect(Set(sent.map(\.program)).count == 3, "the thread is the first program's")
        let child = try #require(sent.first { $0.address?.port == 9 })
        #expect(programs[child.program].parent != nil && programs[child.program].end != nil)
    }

    @Test func `has its stacks taken along`() throws {
        let (trace, _) = try follow("import socket; socket.socket().connect_ex(('127.0.0.1', 1))")
        let stack = try #require(trace.stacks.compactMap(\.self).first)
        let snapshot = trace.snapshots.snapshots[stack]
        #expect(snapshot.registers.count >= 17 && snapshot.stack.count > 1000)
        let map = String(decoding: trace.snapshots.maps[snapshot.map], as: UTF8.self)
        #expect(map.contains("libc.so.6") && map.contains("python3"))
    }

    @Test func `is seen to ask about interfaces, to read the network's files, and files of its own`() throws {
        let file = "/etc/services"
        let (trace, _) = try follow(
            """
            import socket, fcntl, struct
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try: fcntl.ioctl(s, 0x8915, struct.pack("256s", b"nosuch0"))
            except OSError: pass
            open("/etc/hosts").read(); open("\(file)").read()
            """)
        #expect(
            trace.evidence.calls.contains {
                $0.name == .ioctl && $0.subject == .request(0x8915, interface: "nosuch0")
                    && $0.outcome == .failed(.noDevice)
            })
        #expect(trace.evidence.calls.contains { $0.subject == .file("/etc/hosts") })
        #expect(trace.evidence.openedFiles.contains { $0.path == file })
    }

    @Test func `gets its signals, stops and goes on as it would otherwise`() throws {
        let (_, status) = try follow(
            """
            import os, signal, subprocess
            seen = []
            signal.signal(signal.SIGUSR1, lambda *a: seen.append(1))
            os.kill(os.getpid(), signal.SIGUSR1)
            child = subprocess.Popen(["sleep", "0.2"]); child.send_signal(signal.SIGSTOP)
            assert os.WIFSTOPPED(os.waitpid(child.pid, os.WUNTRACED)[1])
            child.send_signal(signal.SIGCONT)
            assert child.wait() == 0 and seen == [1]
            os.kill(os.getpid(), signal.SIGTERM)
            """)
        #expect(status == 128 + SIGTERM)
    }

    @Test func `may change an address while it is read, and start threads without end`() throws {
        let (trace, status) = try follow(
            """
            import ctypes, threading, time
            libc = ctypes.CDLL(None)
            address = ctypes.create_string_buffer(bytes([2,0,0,1,127,0,0,1]) + bytes(20))
            stop = time.monotonic() + 1
            def change():
                while time.monotonic() < stop: address[0] = b"\\x0a"; address[0] = b"\\x02"
            def call():
                while time.monotonic() < stop: s = libc.socket(2, 2, 0); libc.connect(s, address, 28); libc.close(s)
            def start():
                while time.monotonic() < stop:
                    t = threading.Thread(target=lambda: None); t.start(); t.join()
            threads = [threading.Thread(target=f) for f in (change, call, call, start)]
            for t in threads: t.start()
            for t in threads: t.join()
            """)
        #expect(status == 0)
        #expect(connections(trace).count < 100)
    }
}

extension [String] {
    fileprivate func withCStrings<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        var pointers = unsafe map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }
}
