// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Wire

/// How a program is started beside this process (posix_spawn); no Swift code runs between the fork and the exec.
package struct Spawning {
    /// A path, or a name that is looked for in PATH.
    private let program: String
    /// The program's name first.
    private let arguments: [OSString]
    /// Descriptors that the program has, by their numbers there. All others that are close-on-exec here are closed.
    package var descriptors: [(number: Int32, descriptor: Int32)] = []
    /// Whether it leads a process group of its own, so that no terminal's signal comes to it.
    package var hasOwnGroup = false
    /// Whether it leads its own group. A program that does cannot make a session of its own by setsid, and a script's programs do not.
    package var leadsGroup = true
    /// `nil` leaves the program what this process blocks and ignores; else it blocks nothing, and ignores none of these.
    package var heeded: SignalSet?
    /// `nil` is this process's.
    package var environment: [OSString]?

    package init(_ program: String, arguments: [OSString]) {
        self.program = program
        self.arguments = arguments
    }

    /// - Returns: the number of the process.
    package func start() throws(SystemError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // Duplicated to itself, a descriptor stays open across the exec.
        for (number, descriptor) in descriptors {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        let leader = hasOwnGroup && !leadsGroup ? clinux_fork_leader() : 0
        if leader < 0 { throw SystemError("fork", Errno(errno)) }
        defer { if leader > 0 { clinux_end_child(leader, 0) } }
        unsafe posix_spawnattr_setpgroup(&attributes, leader)
        var flags = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        if let heeded {
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe posix_spawnattr_setsigmask(&attributes, &signals)
            for number in Int32(1)...64 where heeded.contains(number: number) { unsafe sigaddset(&signals, number) }
            unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
            flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var process: pid_t = 0
        let error = unsafe withCStrings(arguments) { arguments in
            guard let environment else {
                return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environ)
            }
            return unsafe withCStrings(environment) { environment in
                unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        if error != 0 { throw SystemError("posix_spawn", Errno(error), what: program) }
        return process
    }
}

/// A null-terminated vector of C strings, for the time of the call.
package func withCStrings<Result>(
    _ strings: [OSString], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { string in
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.bytes.count + 1)
        for (index, byte) in string.bytes.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
        unsafe copy[string.bytes.count] = 0
        return unsafe Optional(copy)
    }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe $0?.deallocate() } }
    return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
}
