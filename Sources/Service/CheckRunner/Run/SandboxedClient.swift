// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Topology
import Wire

/// A client that a launcher prepares: `Sandbox.Client`, and a substitute in tests.
protocol SandboxedClient: ~Copyable {
    borrowing func takeLink() throws(SandboxError) -> LinkDevice
    borrowing func takeSocket() throws(SandboxError) -> AbstractSocket
    borrowing func takeClosedSockets() throws(SandboxError) -> ClosedSockets?
    borrowing func takeListener() throws(SandboxError) -> Descriptor
    borrowing func takeNetwork(_ network: ClientNetwork) throws(SandboxError) -> HeldNetwork
    var launcherProcess: Int32? { get }
    mutating func go(follow: (Int32) throws(SystemError) -> Void) throws(SandboxError)
    var process: Int32? { get }
    var protection: Protection? { get }
    var tracingObstacle: Errno? { get }
    var descriptor: Int32 { get }
    var nextPoll: Instant? { get }
    mutating func poll() -> ExitReport?
    borrowing func kill(_ number: Int32)
    consuming func end() -> ReapedClient
}

extension Client: SandboxedClient {}
