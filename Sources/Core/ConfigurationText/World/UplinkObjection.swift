// SPDX-License-Identifier: Apache-2.0
extension World {
    /// The reason why the host's network cannot be behind the NAT64 of this world; `nil` if it can.
    package var objectionToUplink: String? {
        hosts.first.map {
            "with the host's network as uplink a world can have no hosts (\($0.name)): they are the real ones"
        }
    }
}
