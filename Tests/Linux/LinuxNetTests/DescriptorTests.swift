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
}
