// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Sandbox

@main
struct Entry {
    /// The state inherited from the user's shell; taken at its first use in main, before anything else is done.
    static let inheritance = Inheritance.take()

    static func main() {
        _ = inheritance
        OwnNameServer.runIfAsked()
        DatagramEnd.runIfAsked()
        UserRun.runIfAsked()
        AttachEnd.runIfAsked()
        Bench.main()
    }
}
