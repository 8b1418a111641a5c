// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// Permanently drops the rights that a process does not need for handling packets, names and requests of strangers.
///
/// It drops, in this order: the file system (an empty, read-only root replaces it), capabilities and the bounding set, root's user and
/// group and all supplementary groups, gaining rights by an exec, and every system call that is not in the table of
/// `CLinux/clinux_calls.c`. Open descriptors stay open. The process must first obtain everything that it needs of the file system and
/// of its rights (libraries, links, addresses).
package enum Confinement {
    /// To be called while the process has one thread; threads that it starts later are confined too.
    /// - Parameter parent: the kernel kills this process when that one ends.
    /// - Returns: the weaknesses compared with the above, and their reasons, each as part of a sentence.
    package static func enter(endingWith parent: Int32? = nil) throws(SandboxError) -> [String] {
        var weaknesses: [String] = []
        func note(_ weakness: String) {
            weaknesses.append("\(weakness) (\(Errno(errno)))")
        }
        let kept = neededCapabilities
        if clinux_empty_root() != 0 && clinux_empty_root_by_chroot() != 0 {
            note("its root is not empty, and only the filter of system calls keeps files from it")
        }
        if !dropBoundingSet() { note("its bounding set is not empty") }
        if geteuid() == 0 && clinux_become_nobody(kept) != 0 { note("it keeps root's user number, without rights") }
        do throws(SystemError) {
            try dropCapabilities(but: kept)
            // After the change of users, which resets it.
            if let parent { try Signals.send(SIGKILL, whenParentEnds: parent) }
            try forbidNewRights()
            // Dispatch would open files.
            clinux_run_tasks(Int32(taskThreads))
            if clinux_allow_listed_calls() != 0 { throw SystemError("prctl(PR_SET_SECCOMP)", Errno(errno)) }
        } catch {
            throw SandboxError(.confinement, error)
        }
        return weaknesses
    }

    /// Confines a process that reads untrusted files that are not known in advance: it keeps its user and may open any file that this user
    /// may read. It has no capability, no network, can write only to open descriptors, and starts no processes.
    /// - Parameters:
    ///   - parent: the kernel kills this process when that one ends.
    ///   - memory: maximum mapped memory, in octets.
    package static func enterForReading(endingWith parent: Int32, memory: UInt64) throws(SandboxError) {
        _ = dropBoundingSet()
        do throws(SystemError) {
            try dropCapabilities(but: 0)
            try Signals.send(SIGKILL, whenParentEnds: parent)
            try forbidNewRights()
            var limit = rlimit(rlim_cur: rlim_t(memory), rlim_max: rlim_t(memory))
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) != 0 {
                throw SystemError("setrlimit", Errno(errno))
            }
            if clinux_allow_reading_calls() != 0 { throw SystemError("prctl(PR_SET_SECCOMP)", Errno(errno)) }
        } catch {
            throw SandboxError(.confinement, error)
        }
    }

    /// Drops the capabilities of a process that has a confined second process, and keeps its user and files for it, once it needs them no
    /// more. It keeps CAP_KILL, to end a process that has become another user.
    package static func dropParentsRights() throws(SandboxError) { try dropRights(but: 1 << UInt64(clinux_cap_kill)) }

    /// Gives up the capabilities of a process that keeps its user, files and network.
    package static func dropRights() throws(SandboxError) { try dropRights(but: 0) }

    private static func dropRights(but kept: UInt64) throws(SandboxError) {
        // Without CAP_SETPCAP the bounding set stays as it is.
        _ = dropBoundingSet()
        do throws(SystemError) {
            try dropCapabilities(but: kept)
            try forbidNewRights()
        } catch {
            throw SandboxError(.confinement, error)
        }
    }

    private static func forbidNewRights() throws(SystemError) {
        if clinux_forbid_new_rights() != 0 { throw SystemError("prctl(PR_SET_NO_NEW_PRIVS)", Errno(errno)) }
    }

    /// Some containers do not allow setting the lowest port (`WorldNamespace`).
    private static var neededCapabilities: UInt64 {
        SystemControl.read(lowestPort) == "0" ? 0 : CapabilitySets.lowPorts
    }

    /// The lowest port at which a process may listen without rights, in this network namespace.
    static let lowestPort = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
    /// Threads for Swift's tasks: the tasks never block, so few are enough.
    private static let taskThreads = 2

    private static func dropBoundingSet() -> Bool {
        var sets = CapabilitySets.current()
        sets.bounding = 0
        var raw = sets.raw
        return unsafe clinux_set_capabilities(&raw) == 0
    }

    private static func dropCapabilities(but kept: UInt64) throws(SystemError) {
        var sets = CapabilitySets.current()
        sets.permitted &= kept
        sets.effective = sets.permitted
        sets.inheritable = 0
        sets.ambient = 0
        var raw = sets.raw
        if unsafe clinux_set_capabilities(&raw) != 0 { throw SystemError("capset", Errno(errno)) }
    }
}

/// A system call that a confined process may make.
package struct AllowedCall: Hashable, Sendable {
    package let name: String
    package let number: Int32
    /// Why it is allowed.
    package let purpose: String
    /// The arguments for which it is allowed; `nil` for any.
    package let condition: String?

    /// The table, for this machine's architecture.
    package static var all: [AllowedCall] {
        var calls: [AllowedCall] = []
        while let call = unsafe clinux_allowed_call(Int32(calls.count)) {
            unsafe calls.append(
                AllowedCall(
                    name: String(cString: call.pointee.name), number: call.pointee.number,
                    purpose: String(cString: call.pointee.why),
                    condition: call.pointee.only.map { unsafe String(cString: $0) }))
        }
        return calls
    }
}
