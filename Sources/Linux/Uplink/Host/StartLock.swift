// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet
internal import Sandbox
internal import Wire

/// Held while a simulator claims its names and addresses on a host and makes its rules: one at a time.
///
/// The lock is an interface without addresses: only processes that may administer the network can make one, and it is deleted with
/// its process.
struct StartLock: ~Copyable {
    static let name = "nat64simlock"
    /// Starting takes a tenth of a second.
    private static let timeout = Duration.seconds(30)
    private static let pause: UInt32 = 5_000

    private let device: LinkDevice

    init() throws(UplinkError) {
        let deadline = MonotonicClock.now() + Self.timeout
        var failures = 0
        while true {
            if InterfaceBinding.index(of: Self.name) == nil {
                do throws(SandboxError) {
                    device = try LinkDevice.make(Self.name, isPassing: true)
                    return
                } catch {
                    // Another process may have held the lock for a moment.
                    if InterfaceBinding.index(of: Self.name) == nil { failures += 1 }
                    if failures == 3 { throw .sandbox(error) }
                }
            }
            if MonotonicClock.now() > deadline { throw .starting }
            usleep(Self.pause)
        }
    }
}
