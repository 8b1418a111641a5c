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

/// An anonymous file with these contents.
func memoryFile(_ contents: [UInt8]) throws(SystemError) -> Descriptor {
    let number = unsafe clinux_memory_file("ipv6check")
    if number < 0 { throw SystemError("memfd_create", Errno(errno)) }
    let file = Descriptor(owning: number)
    try write(contents, to: file)
    return file
}

/// Writes all of it.
func write(_ contents: [UInt8], to file: borrowing Descriptor, path: String? = nil) throws(SystemError) {
    var rest = contents[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
        if count < 0 && errno != EINTR { throw SystemError("write", Errno(errno), what: path) }
        rest = rest.dropFirst(max(0, count))
    }
}

/// The whole of a file, from its start.
func readAll(_ file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe pread(file.number, $0.baseAddress, $0.count, contents.count)
        }
        if count < 0 && errno != EINTR { throw SystemError("read", Errno(errno)) }
        if count == 0 { return contents }
        contents += buffer.prefix(max(0, count))
    }
}

/// A null-terminated vector of C strings, for the time of the call.
func withCStrings<Result>(
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

/// Waits until one of the descriptors (the second may be -1) has something to read; false where the deadline came first.
func waitForInput(_ first: Int32, _ second: Int32, until deadline: Instant?) -> Bool {
    var sources = (
        pollfd(fd: first, events: Int16(POLLIN), revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0)
    )
    while true {
        var milliseconds: Int32 = -1
        if let deadline {
            let remaining = max(0, (deadline - MonotonicClock.now()).wholeNanoseconds)
            milliseconds = Int32(clamping: remaining / 1_000_000 + (remaining % 1_000_000 > 0 ? 1 : 0))
        }
        let ready = unsafe withUnsafeMutableBytes(of: &sources) {
            unsafe poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
        }
        if ready > 0 { return true }
        if ready == 0 { return false }
    }
}
