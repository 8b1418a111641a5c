// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxNet

/// The rights of a thread: capabilities(7)'s five sets, bit n being capability n.
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

    /// What it takes to make the world's namespace, its links and its servers without a user namespace.
    static var forWorld: UInt64 {
        var needed = systemAdministration | networkAdministration
        if TUNDevice.obstacle != nil { needed |= packetSockets }
        if !SystemControl.canChange(Confinement.lowestPort) { needed |= lowPorts }
        return needed
    }

    /// What the launcher needs: to mount and unshare, to configure the network, to listen at the end of an Ethernet link, to take capabilities away (from the
    /// bounding set), and to make overlays, whose working folder has no permissions.
    static let ofLauncher =
        systemAdministration | networkAdministration | packetSockets | 1 << UInt64(clinux_cap_setpcap)
        | 1 << UInt64(clinux_cap_dac_override)

    /// Gives up all that can be used; an exec does not bring them back, but for what a file gives.
    mutating func drop() {
        (effective, permitted, inheritable, ambient) = (0, 0, 0, 0)
    }

    /// Those of the calling thread.
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
