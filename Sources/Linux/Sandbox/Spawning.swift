// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Wire

/// Options for starting a child process (posix_spawn); no Swift code runs between the fork and the exec.
package struct Spawning {
    /// A path, or a name to be searched for in PATH.
    private let program: String
    /// The program's name comes first.
    private let arguments: [OSString]
    /// The program's descriptors, by their numbers there. All other descriptors that are close-on-exec here are closed.
    package var descriptors: [(number: Int32, descriptor: Int32)] = []
    /// Whether it leads its own process group, so that it gets no signals from a terminal.
    package var hasOwnGroup = false
    /// Whether it leads that group. A leader cannot make its own session by setsid; programs started by a script are no leaders.
    package var leadsGroup = true
    /// If `nil`, the program inherits this process's blocked and ignored signals; otherwise it blocks none, and ignores none of these.
    package var heeded: SignalSet?
    /// If `nil`, this process's environment.
    package var environment: [OSString]?

    package init(_ program: String, arguments: [OSString]) {
        self.program = program
        self.arguments = arguments
    }

    /// - Returns: the process id.
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

/// A null-terminated vector of C strings, valid during the call.
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
