// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
package import Topology

/// A process that forks a launcher for each client.
///
/// Theory of operation. A launcher is a fork of this program, as re-executing the program would cost more than the launcher's whole
/// work. Only a process with one thread may fork so, and a runner soon has more. So it forks the zygote while it has one thread, in the
/// namespaces that it keeps from then on; and the zygote forks again on request. It keeps those of the runner's descriptors that clients
/// get. A launcher is the runner's child (CLONE_PARENT), which reaps it. It answers over its own channel, and makes the namespaces
/// before it has a plan (`WaitingLauncher`): a runner that requests it early waits less later.
package struct Zygote: ~Copyable {
    private let process: SecondProcess
    private let channel: ControlChannel

    /// To be called while the process has one thread.
    /// - Parameter inheritance: shared by all clients.
    package static func start(_ inheritance: Inheritance) throws(SandboxError) -> Zygote {
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            let process = try SecondProcess.start(
                name: "zygote", from: pair.first, to: pair.second, keeping: inheritance.descriptors
            ) { socket, runner in serve(ControlChannel(socket), runner: runner) }
            return Zygote(process: process, channel: ControlChannel(pair.first))
        } catch {
            throw SandboxObstacle.noProcess(error.errno)
        }
    }

    /// Requests a launcher, without waiting for it.
    package borrowing func launch() throws(SandboxError) -> WaitingLauncher {
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            channel.send(clinux_message_launch, descriptor: pair.second.descriptor)
            return WaitingLauncher(control: ControlChannel(pair.first))
        } catch {
            throw SandboxError(.launcher, error)
        }
    }

    /// Tells the zygote to end, without waiting; `end` waits.
    package borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends the zygote, and waits for its end. Its launchers go on.
    package consuming func end() {}

    private static func serve(_ channel: consuming ControlChannel, runner: Int32) {
        while case .launch(let descriptor) = channel.receive() {
            let control = ControlChannel(UnixSocket(owning: descriptor))
            let process = clinux_fork_sibling()
            if process == 0 {
                _ = consume channel
                Launcher.run(control, runner: runner)
            }
            if process < 0 { control.send(clinux_message_not_forked, value: errno) }
        }
    }
}

/// A launcher without a plan. It meanwhile makes the namespaces, and the link once it knows the network; it ends when this value is
/// destroyed.
package struct WaitingLauncher: ~Copyable {
    let control: ControlChannel
    /// Whether the launcher knows the network.
    private(set) var isMakingLink = false

    init(control: consuming ControlChannel) {
        self.control = control
    }

    /// Requests the client's link, whose making takes as long as that of the plan. `Client.start` does this if it was not called before.
    package mutating func makeLink(_ network: ClientNetwork) {
        control.send(network)
        isMakingLink = true
    }

    /// The launcher's process id.
    borrowing func process() throws(SandboxError) -> Int32 {
        switch control.receive() {
        case .launched(let process): return process
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher, or the process that starts launchers, was killed")
        }
    }
}
