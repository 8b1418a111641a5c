// SPDX-License-Identifier: Apache-2.0
/// The least programs, in C, that ours are compared with; scripts/bench builds them.
struct Sticks {
    let folder: String

    var run: String { folder + "/LeastRun" }
    var translator: String { folder + "/LeastTranslator" }
    var responder: String { folder + "/LeastResponder" }
}
