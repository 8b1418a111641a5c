internal import CLinux
internal import Glibc
internal import LinuxNet

/// Gives up for good what a service does not need once its links and sockets are there: every capability but the one to
/// bind low ports, the way to get others by an exec, and the system calls that a service has no use for.
///
/// To be called while the process has one thread; the threads that it starts later are confined as it is.
package enum Confinement {
    /// - Parameter startsPrograms: whether it executes others, which are confined as it is.
    package static func enter(startsPrograms: Bool = false) throws(SandboxError) {
        var sets = CapabilitySets.current()
        let kept: UInt64 = 1 << UInt64(clinux_cap_net_bind_service)
        sets.effective &= kept
        sets.permitted &= kept
        sets.inheritable = 0
        sets.ambient = 0
        var raw = sets.raw
        if unsafe clinux_set_capabilities(&raw) != 0 {
            throw SandboxError(.confinement, SystemError("capset", Errno(errno)))
        }
        if clinux_confine(startsPrograms) != 0 {
            throw SandboxError(.confinement, SystemError("prctl(PR_SET_SECCOMP)", Errno(errno)))
        }
    }
}
