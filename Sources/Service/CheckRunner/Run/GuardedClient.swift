// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Topology
import Wire

/// The client of a run. If it is dropped before its end, the run has failed; ending a client takes long if one of its processes cannot be
/// ended, so that has a limit.
struct GuardedClient: ~Copyable {
    /// `nil` once it has been ended.
    private var client: (any SandboxedClient & ~Copyable)?
    private let watch: any RunWatch

    init(_ client: consuming any SandboxedClient & ~Copyable, watch: any RunWatch) {
        watch.guards(launcher: client.launcherProcess)
        self.client = consume client
        self.watch = watch
    }

    deinit { if client != nil { watch.expectEndOfFailedRun() } }

    func takeLink() throws(CheckFailure) -> LinkDevice {
        try take { (client) throws(SandboxError) in try client.takeLink() }
    }

    func takeSocket() throws(CheckFailure) -> AbstractSocket {
        try take { (client) throws(SandboxError) in try client.takeSocket() }
    }

    func takeClosedSockets() throws(CheckFailure) -> ClosedSockets? {
        try take { (client) throws(SandboxError) in try client.takeClosedSockets() }
    }

    func takeListener() throws(CheckFailure) -> Descriptor {
        try take { (client) throws(SandboxError) in try client.takeListener() }
    }

    func takeNetwork(_ network: ClientNetwork) throws(CheckFailure) -> HeldNetwork {
        try take { (client) throws(SandboxError) in try client.takeNetwork(network) }
    }

    /// Lets the client run.
    /// - Parameter follow: attaches a tracer to its process, if it is to be traced.
    mutating func go(follow: (Int32) throws(SystemError) -> Void) throws(CheckFailure) {
        try CheckFailure.wrapping { () throws(SandboxError) in try client!.go(follow: follow) }
    }

    /// How the client ended, if it has.
    mutating func poll() -> ExitReport? { client!.poll() }

    /// When to call `poll` again even if nothing happens; `nil` for never.
    var nextPoll: Instant? { read { $0.nextPoll } }

    /// Readable when the client has ended.
    var descriptor: Int32 { read { $0.descriptor } }

    /// Its process ID, once it runs.
    var process: Int32? { read { $0.process } }

    /// The launcher's process, which is in the client's namespaces.
    var launcherProcess: Int32? { read { $0.launcherProcess } }

    /// Why its protection is weaker than it should be, a part of a sentence; `nil` if it is not.
    var weakness: String? { read { $0.protection?.weakness } }

    /// Why it could not be traced although it was to be.
    var tracingObstacle: Errno? { read { $0.tracingObstacle } }

    func kill(_ number: Int32) { read { $0.kill(number) } }

    /// Ends the client, if it still runs, and all its remaining processes. The collection of the evidence has the same limit.
    mutating func end() -> ReapedClient {
        watch.expectEndOfClient()
        return client.take()!.end()
    }

    private borrowing func take<Taken: ~Copyable>(
        _ body: (borrowing any SandboxedClient & ~Copyable) throws(SandboxError) -> Taken
    ) throws(CheckFailure) -> Taken {
        try CheckFailure.wrapping { () throws(SandboxError) in try read(body) }
    }

    private borrowing func read<Value: ~Copyable, Failure: Error>(
        _ body: (borrowing any SandboxedClient & ~Copyable) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch client {
        case .some(let client): try body(client)
        case nil: preconditionFailure("the client has been ended")
        }
    }
}
