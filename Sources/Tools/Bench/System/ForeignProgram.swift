// SPDX-License-Identifier: Apache-2.0
/// Third-party programs.
enum ForeignProgram {
    /// Why the program is not available; `nil` if it is.
    static func absence(of program: String) -> String? {
        let isThere = (try? ChildProcess.run("sh", "-c", "command -v \(program)")) != nil
        return isThere ? nil : "\(program) is not installed"
    }
}
