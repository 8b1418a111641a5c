// SPDX-License-Identifier: Apache-2.0
/// Programs of other people.
enum ForeignProgram {
    /// Why this one cannot be had, `nil` where it is there.
    static func absence(of program: String) -> String? {
        let isThere = (try? ChildProcess.run("sh", "-c", "command -v \(program)")) != nil
        return isThere ? nil : "\(program) is not installed"
    }
}
