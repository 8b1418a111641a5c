// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// Checks that this process's limits allow for a simulator.
///
/// If a thread cannot be made, NIO ends the process and Dispatch retries for ever. So as many threads as a run has are made once,
/// before anything depends on them.
enum Room {
    /// Threads of the packet path, the DNS server, the event loop, the evidence and Swift's pool, and the processes between the runner and
    /// the client, which count against the same limit.
    private static let threads = 8 + min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8)
    /// Address space in octets, in addition to the threads' stacks. A run was seen to fail with 80 MB, after Dispatch and NIO had allocated
    /// their stacks and malloc its arenas.
    private static let memory = 256 << 20
    /// A run of the demo world has 36 files open.
    private static let descriptors = 64

    static func rehearse() throws(SandboxError) {
        switch Int(clinux_rehearse_room(Int32(threads), memory, Int32(descriptors))) {
        case clinux_room_no_threads:
            throw SandboxError(
                .launcher, "this user may have too few processes and threads: \(Errno(errno))",
                remedy: "ulimit -u with a larger number, or a container with more of them (--pids-limit)")
        case clinux_room_no_memory:
            throw SandboxError(
                .launcher, "there is too little memory: \(Errno(errno))", remedy: "ulimit -v unlimited")
        case clinux_room_no_descriptors:
            throw SandboxError(
                .launcher, "this process may have too few files open, \(descriptors) are needed",
                remedy: "ulimit -n 1024")
        default: return
        }
    }
}
