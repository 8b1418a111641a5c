// SPDX-License-Identifier: Apache-2.0
/// The smallest programs, in C, with which ours are compared; scripts/bench builds them.
struct Sticks {
    let folder: String

    var run: String { folder + "/LeastRun" }
    var translator: String { folder + "/LeastTranslator" }
    var responder: String { folder + "/LeastResponder" }
}
