// SPDX-License-Identifier: Apache-2.0
/// Processes of the client that still ran when it had ended, and were ended with it.
package struct SurvivingProcesses: Codable, Hashable, Sendable {
    package struct Process: Codable, Hashable, Sendable {
        /// As the client sees it.
        package var process: Int32
        /// Of the program; the kernel cuts it to 15 octets.
        package var name: String

        package init(process: Int32, name: String) {
            self.process = process
            self.name = name
        }
    }

    package var processes: [Process]
    /// Those that are not listed.
    package var more: Int

    package init(processes: [Process] = [], more: Int = 0) {
        self.processes = processes
        self.more = more
    }
}
