// SPDX-License-Identifier: Apache-2.0
/// The client's processes that still ran after it had ended, and were then ended.
package struct SurvivingProcesses: Codable, Hashable, Sendable {
    package struct Process: Codable, Hashable, Sendable {
        /// As the client sees it.
        package var process: Int32
        /// The program's name, which the kernel cuts to 15 octets.
        package var name: String

        package init(process: Int32, name: String) {
            self.process = process
            self.name = name
        }
    }

    package var processes: [Process]
    /// The number of those that are not listed.
    package var more: Int

    package init(processes: [Process] = [], more: Int = 0) {
        self.processes = processes
        self.more = more
    }
}
