// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import LinuxNet

@Suite struct `A descriptor` {
    func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test func `is closed when its owner goes, and not before`() throws {
        // A number so high that nothing else in this process takes it.
        let number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 700)
        try #require(number >= 700)
        do {
            let descriptor = Descriptor(owning: number)
            #expect(isOpen(descriptor.number))
        }
        #expect(!isOpen(number))
    }

    @Test func `stays open when it is given away`() throws {
        let number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 720)
        #expect(Descriptor(owning: number).release() == number)
        #expect(isOpen(number))
        close(number)
    }

    @Test func `does not survive an exec`() throws {
        let descriptor = try Descriptor.open("/dev/null", flags: O_RDONLY)
        #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
        let copy = try descriptor.duplicate()
        #expect(fcntl(copy.number, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func `says which file it could not open, and why`() {
        #expect(throws: SystemError("open", .ENOENT, what: "/nonexistent/file")) {
            _ = try Descriptor.open("/nonexistent/file", flags: O_RDONLY)
        }
        #expect("\(SystemError("open", .EACCES, what: "/x"))" == "/x: open: Permission denied")
    }

    /// None of them is like its neighbour.
    private func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) } }

    @Test(arguments: [0, 1, 1023, 1024, 1025, 65_536, 200_000]) func `is read to its end`(count: Int) throws {
        let octets = octets(count)
        let file = try MemoryFile.make(octets)
        #expect(try MemoryFile.contents(of: file) == octets)
        #expect(try Descriptor.contents(of: "/proc/self/fd/\(file.number)") == octets)
        #expect(try file.contents(from: count / 2, limit: .max) == Array(octets[(count / 2)...]))
        #expect(try file.contents(from: count + 1, limit: 10).isEmpty)
    }

    @Test(arguments: [0, 1, 70_000, 199_999, 200_000, 200_001]) func `is read no further than asked for`(limit: Int)
        throws
    {
        let octets = octets(200_000)
        let file = try MemoryFile.make(octets)
        #expect(try file.contents(from: 0, limit: limit) == Array(octets.prefix(limit)))
        #expect(
            try Descriptor.contents(of: "/proc/self/fd/\(file.number)", limit: limit) == Array(octets.prefix(limit)))
    }

    @Test func `is read where the kernel does not say how long it is`() throws {
        // Files of /proc say 0.
        #expect(try Descriptor.contents(of: "/proc/self/stat").starts(with: Array("\(getpid()) (".utf8)))
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let output = Descriptor(owning: ends[0])
        let input = Descriptor(owning: ends[1])
        try input.write([1, 2, 3])
        input.close()
        #expect(try Descriptor.contents(of: "/proc/self/fd/\(output.number)") == [1, 2, 3])
    }

    @Test func `that says it is longer than memory is read all the same`() throws {
        let octets = octets(100)
        let file = try MemoryFile.make(octets)
        // A hole of a tebibyte, of which nothing is read.
        try #require(ftruncate(file.number, 1 << 40) == 0)
        #expect(try file.contents(from: 0, limit: 200) == octets + [UInt8](repeating: 0, count: 100))
    }

    @Test(arguments: [0, 1, 300_000]) func `is copied to another, as far as asked for`(count: Int) throws {
        let octets = octets(count)
        let source = try MemoryFile.make(octets)
        let copy = try MemoryFile.make([9])
        #expect(try copy.write(contentsOf: source, limit: 250_000) == min(count, 250_000))
        #expect(try MemoryFile.contents(of: copy) == [9] + octets.prefix(250_000))
    }
}
