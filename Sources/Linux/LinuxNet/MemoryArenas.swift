// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// malloc's arenas. Each thread gets its own as long as there are fewer than eight per processor.
package enum MemoryArenas {
    /// For a process whose threads come and go with its clients, few of which allocate: each arena keeps the most that it ever needed, so
    /// the process would grow until every arena had reached its maximum. To be called before the first thread starts.
    package static func limit(to count: Int32) { clinux_limit_arenas(count) }
}
