// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxNet

/// A thread's five capability sets (capabilities(7)); bit n is capability n.
package struct CapabilitySets: Hashable, Sendable {
    package var effective: UInt64
    package var permitted: UInt64
    package var inheritable: UInt64
    package var ambient: UInt64
    package var bounding: UInt64

    static let systemAdministration: UInt64 = 1 << UInt64(clinux_cap_sys_admin)
    static let networkAdministration: UInt64 = 1 << UInt64(clinux_cap_net_admin)
    static let packetSockets: UInt64 = 1 << UInt64(clinux_cap_net_raw)

    static let lowPorts: UInt64 = 1 << UInt64(clinux_cap_net_bind_service)
    static let fileCapabilities: UInt64 = 1 << UInt64(clinux_cap_setfcap)

    /// The capabilities needed to make the world's namespace, its links and its servers without a user namespace.
    static var forWorld: UInt64 {
        var needed = systemAdministration | networkAdministration
        if TUNDevice.obstacle != nil { needed |= packetSockets }
        if !SystemControl.canChange(Confinement.lowestPort) { needed |= lowPorts }
        return needed
    }

    /// The capabilities that the launcher needs: to mount and unshare, to configure the network, to open packet sockets, to drop
    /// capabilities from the bounding set, and to make overlays, whose working folder has no permissions.
    static let ofLauncher =
        systemAdministration | networkAdministration | packetSockets | 1 << UInt64(clinux_cap_setpcap)
        | 1 << UInt64(clinux_cap_dac_override)

    /// Gives up all usable capabilities; an exec does not restore them, except for a file's own.
    mutating func drop() {
        (effective, permitted, inheritable, ambient) = (0, 0, 0, 0)
    }

    /// The sets of the calling thread.
    static func current() -> CapabilitySets {
        var raw = clinux_capabilities()
        let result = unsafe clinux_get_capabilities(&raw)
        precondition(result == 0, "capget cannot fail for the own thread")
        return CapabilitySets(
            effective: raw.effective, permitted: raw.permitted, inheritable: raw.inheritable, ambient: raw.ambient,
            bounding: raw.bounding)
    }

    var raw: clinux_capabilities {
        clinux_capabilities(
            effective: effective, permitted: permitted, inheritable: inheritable, ambient: ambient, bounding: bounding)
    }
}
