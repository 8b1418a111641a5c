// SPDX-License-Identifier: Apache-2.0
package import Topology
package import LinuxNet

/// A client's link in the namespace in which this process was started: every program there is the client.
///
/// To be made before `WorldNamespace.enter`. It is deleted with its descriptor.
package enum JoinedLink {
    package static func make(_ network: ClientNetwork) throws(SandboxError) -> LinkDevice {
        let link = try LinkDevice.make(network.interface, isPassing: true)
        try ClientInterface.configure(network, isTUN: link.isTUN)
        return link
    }
}
