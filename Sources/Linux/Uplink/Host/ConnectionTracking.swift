// SPDX-License-Identifier: Apache-2.0
internal import Sandbox

/// The kernel's table of connections, by which the uplink masquerades.
package enum ConnectionTracking {
    /// How many more there can be; `nil` if the kernel does not say.
    package static var room: Int? {
        let folder = "/proc/sys/net/netfilter/"
        guard let limit = SystemControl.read(folder + "nf_conntrack_max").flatMap({ Int($0) }),
            let count = SystemControl.read(folder + "nf_conntrack_count").flatMap({ Int($0) })
        else { return nil }
        return max(0, limit - count)
    }
}
