// SPDX-License-Identifier: Apache-2.0
import CAllocations
import Wire

/// The heap allocations of the calling thread.
enum AllocationCount {
    static var current: UInt64 { callocations_of_this_thread() }

    /// Whether allocations are counted; if not, the count is always 0.
    static var isKept: Bool {
        let before = current
        var buffer = PacketBuffer(capacity: 64)
        buffer.reset()
        return current > before
    }
}
