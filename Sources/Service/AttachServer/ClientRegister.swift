// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import RouterThread

/// Who is told of clients that come and go.
package protocol ClientRegister: Sendable {
    /// A number for a client that is coming.
    func nextID() -> UInt64
    func add(_ client: AttachedClient)
    /// Whether it is told what a client's path had counted in the end.
    var keepsCounts: Bool { get }
    /// - Parameter last: what its path had counted in the end.
    func remove(_ client: AttachedClient, last: PathSnapshot?)
    /// Packets are missing from the client's capture.
    func tellLoss(of client: AttachedClient, _ loss: String)
    func tellRefusal(of peer: UnixPeer, because reason: String)
}
