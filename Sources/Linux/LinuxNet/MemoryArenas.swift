// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// malloc's arenas, of which threads have one each while there are fewer than eight for each processor.
package enum MemoryArenas {
    /// For a process whose threads come and go with its clients, and of which few allocate: each arena keeps what it once needed, so
    /// the process would grow until all of them had seen the worst. To be called before the first thread.
    package static func limit(to count: Int32) { clinux_limit_arenas(count) }
}
