// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@testable import CallTracing

@Suite struct `What an interpreter tells of its stack` {
    @Test func `belongs to the next call of the thread`() throws {
        let announced = try #require(
            AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=\napp.py\t6\tconnect\nmain.py\t2\t\n"))
        #expect(announced.call == .next)
        #expect(
            announced.frames == [
                StackFrame(function: "connect", file: "app.py", line: 6), StackFrame(file: "main.py", line: 2),
            ])
    }

    @Test func `belongs to a later call to a far end`() throws {
        let announced = try #require(AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=echo.test 7\na.js\t1\tf\n"))
        #expect(announced.call == .later(host: "echo.test", port: 7))
    }

    @Test func `belongs to the look-up of a name`() throws {
        let announced = try #require(AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=echo.test -\na.js\t1\tf\n"))
        #expect(announced.call == .later(host: "echo.test", port: nil))
    }

    @Test func `belongs to the call that the thread has made`() throws {
        let announced = try #require(AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=last\na.py\t1\tf\n"))
        #expect(announced.call == .last)
    }

    @Test(arguments: [
        "/dev/ipv6check/frames/2\nfor=\n", "/etc/hosts", "/dev/ipv6check/frames/1\n",
        "/dev/ipv6check/frames/1\nfor=one\n",
        "/dev/ipv6check/frames/1\nfor=host 70000\n",
    ])
    func `is nothing else`(path: String) { #expect(AnnouncedFrames(path: path) == nil) }

    @Test func `is bounded, and lines that are none are passed over`() throws {
        let lines = String(repeating: "a\t1\tb\n", count: 1000)
        let announced = try #require(AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=\n\t\t\nx\n\n" + lines))
        #expect(announced.frames.count < 100 && announced.frames.allSatisfy { $0.file == "a" })
        let odd = try #require(
            AnnouncedFrames(path: "/dev/ipv6check/frames/1\nfor=\nf\t-3\tg\nf\t99999999999999999999\tg\n"))
        #expect(odd.frames.allSatisfy { $0.line == nil })
    }
}
