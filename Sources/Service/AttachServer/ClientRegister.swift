// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import RouterThread

/// A register that is notified of clients that attach and leave.
package protocol ClientRegister: Sendable {
    /// A number for a new client.
    func nextID() -> UInt64
    func add(_ client: AttachedClient)
    /// Whether it needs the final counters of a client's path.
    var keepsCounts: Bool { get }
    /// - Parameter last: the final counters of the client's path.
    func remove(_ client: AttachedClient, last: PathSnapshot?)
    /// Reports that packets are missing from the client's capture.
    func tellLoss(of client: AttachedClient, _ loss: String)
    func tellRefusal(of peer: UnixPeer, because reason: String)
}
