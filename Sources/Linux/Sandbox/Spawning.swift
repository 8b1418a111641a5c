internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Wire

/// Starts this executable again, as the launcher, with these two descriptors; they are close-on-exec everywhere else.
func spawnLauncher(control: Int32, plan: Int32, streams: StandardStreams) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // Duplicated to itself, a descriptor stays open across the exec.
    unsafe posix_spawn_file_actions_adddup2(&actions, control, control)
    unsafe posix_spawn_file_actions_adddup2(&actions, plan, plan)
    for (number, descriptor) in streams.replacements {
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    let words = ["ipv6check", Launcher.argument, "\(control)", "\(plan)"]
    var process: pid_t = 0
    let error = unsafe withCStrings(words.map { OSString($0) }) { arguments in
        unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, arguments, environ)
    }
    if error != 0 { throw SystemError("posix_spawn", Errno(error), what: "/proc/self/exe") }
    return process
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
