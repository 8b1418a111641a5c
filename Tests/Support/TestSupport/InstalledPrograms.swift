// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Whether a shell would find a program of this name. No shell is asked: conditions of all tests are looked at in each process of tests.
package func isInstalled(_ program: String) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
