// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Sandbox

@main
struct Entry {
    /// What the user's shell gave us; taken when main asks for it first, before anything else is done.
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
