// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Netlink

/// The network namespace in which this process runs and its servers are plain kernel sockets. It contains only what we put there.
package enum WorldNamespace {
    /// Moves the process into a new network namespace with a working loopback. To be called first in main, as the kernel
    /// gives a new user namespace only to a process with one thread.
    ///
    /// Users that may administer the network stay the same. Every other user also gets a user namespace, in which they keep their own user
    /// and group numbers, and have the rights that the launcher needs. If neither is possible, an existing namespace that is as good as new
    /// will do: a container without a network (`docker run --network none`) has one.
    package static func enter(_ inheritance: Inheritance) throws(SandboxError) {
        let needed = CapabilitySets.forWorld
        let mayUnshare = inheritance.capabilities.effective & needed == needed
        if !mayUnshare || clinux_unshare(Int32(clinux_new_network)) != 0,
            let refusal = try enterUserNamespace(inheritance)
        {
            guard isOursAlone(inheritance) else { throw refusal }
        } else {
            // So the servers need no right to listen at 53 and 80. If /proc/sys is not writable, they keep that right.
            try? SystemControl.write("0", to: Confinement.lowestPort)
        }
        do throws(NetlinkError) {
            try RouteSocket().change(.loopback, LinkChange(isUp: true))
        } catch {
            throw SandboxObstacle.network(error)
        }
        // Not earlier: a joined thread may still be counted, and a user namespace requires a single thread.
        try Room.rehearse()
    }

    /// - Returns: the reason for a failure, in which case nothing has changed.
    private static func enterUserNamespace(_ inheritance: Inheritance) throws(SandboxError) -> SandboxError? {
        let user = geteuid()
        let group = getegid()
        // Without CAP_SETFCAP the kernel gives root no number in the new namespace (user_namespaces(7)).
        if let obstacle = SandboxObstacle.rootWithoutMap(inheritance) { return obstacle }
        if clinux_unshare(Int32(clinux_new_user | clinux_new_network)) != 0 {
            return SandboxObstacle.userNamespace(SystemError("unshare(CLONE_NEWUSER)", Errno(errno)))
        }
        do throws(SystemError) {
            // The kernel lets unprivileged users map their own group only once no process can drop groups any more.
            try SystemControl.write("deny", to: "/proc/self/setgroups")
            try SystemControl.write("\(user) \(user) 1", to: "/proc/self/uid_map")
            try SystemControl.write("\(group) \(group) 1", to: "/proc/self/gid_map")
        } catch {
            throw SandboxObstacle.userNamespace(error)
        }

        // For a user other than root, an exec drops every capability except the ambient ones.
        var sets = CapabilitySets.current()
        let passed = CapabilitySets.ofLauncher | inheritance.capabilities.permitted
        sets.inheritable |= passed & sets.permitted
        sets.ambient |= passed & sets.permitted
        var raw = sets.raw
        if unsafe clinux_set_capabilities(&raw) != 0 {
            throw SandboxObstacle.userNamespace(SystemError("prctl(PR_CAP_AMBIENT_RAISE)", Errno(errno)))
        }
        return nil
    }

    /// Whether this process may administer its network namespace and listen at its ports, and nothing leads out of the namespace: the
    /// kernel would forward a client's packets to any other interface.
    private static func isOursAlone(_ inheritance: Inheritance) -> Bool {
        let rights = inheritance.capabilities.effective
        guard rights & CapabilitySets.networkAdministration != 0,
            // Docker opens all ports of a container's own network to everyone, Podman does not.
            rights & CapabilitySets.lowPorts != 0 || SystemControl.read(Confinement.lowestPort) == "0"
        else { return false }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return false }
        defer { unsafe freeifaddrs(first) }
        var next = unsafe first
        while let interface = unsafe next {
            let flags = unsafe interface.pointee.ifa_flags
            // The kernel makes tunnel interfaces by itself, and leaves them down.
            if flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_LOOPBACK) == 0 { return false }
            unsafe next = interface.pointee.ifa_next
        }
        return true
    }
}
