// SPDX-License-Identifier: Apache-2.0
package import LinuxNet

extension LinkDevice {
    /// Makes a link in the network namespace of the calling thread: a TUN or, if this process cannot have one, a pair of Ethernet
    /// interfaces.
    /// - Parameters:
    ///   - name: the interface's name.
    ///   - isPassing: whether it is deleted with its descriptor, as it must be in a namespace that is not ours alone.
    package static func make(_ name: String, isPassing: Bool = false) throws(SandboxError) -> LinkDevice {
        if let obstacle = TUNDevice.obstacle { return try makePair(name, because: obstacle) }
        do throws(SystemError) {
            let tun = try TUNDevice.create(name: name)
            if !isPassing { try tun.outliveDescriptor() }
            return .tun(tun)
        } catch {
            throw SandboxObstacle.tun(error)
        }
    }

    private static func makePair(_ name: String, because obstacle: SystemError) throws(SandboxError) -> LinkDevice {
        do throws(SandboxError) {
            return .ethernet(try EthernetPair.make(name))
        } catch {
            throw SandboxObstacle.noLink(obstacle, error)
        }
    }
}
