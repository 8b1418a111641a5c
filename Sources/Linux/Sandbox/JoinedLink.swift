package import Topology
package import LinuxNet

/// A client's link in the namespace in which this process was started: whatever lives there is the client.
///
/// To be made before `WorldNamespace.enter`. It goes with its descriptor.
package enum JoinedLink {
    package static func make(_ network: ClientNetwork) throws(SandboxError) -> TUNDevice {
        let tun = try create(network.interface)
        try ClientLink.configure(network)
        return tun
    }

    private static func create(_ name: String) throws(SandboxError) -> TUNDevice {
        do throws(SystemError) {
            return try TUNDevice.create(name: name)
        } catch {
            throw Diagnosis.tun(error)
        }
    }
}
