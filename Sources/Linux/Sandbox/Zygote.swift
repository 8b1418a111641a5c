// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
package import Topology

/// Where launchers come from: a process that forks one for each client.
///
/// Theory of operation. A launcher is a fork of this program, for to load the program once more takes longer than all that a launcher
/// does. Only a process with one thread may fork so, and a runner soon has more. So it forks this one while it has one, in the namespaces
/// that are its own from then on; and this one forks again, when it is asked to. It keeps of the runner's descriptors what clients get. A
/// launcher is the runner's child (CLONE_PARENT), to be waited for there. It answers over a channel of its own, and makes the namespaces
/// before it has a plan (`WaitingLauncher`): who asks for it early has less to wait for later.
package struct Zygote: ~Copyable {
    private let process: SecondProcess
    private let channel: ControlChannel

    /// There must be one thread still.
    /// - Parameter inheritance: of all clients.
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

    /// Has it fork a launcher, and does not wait for that.
    package borrowing func launch() throws(SandboxError) -> WaitingLauncher {
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            channel.send(clinux_message_launch, descriptor: pair.second.descriptor)
            return WaitingLauncher(control: ControlChannel(pair.first))
        } catch {
            throw SandboxError(.launcher, error)
        }
    }

    /// Tells it to end, and does not wait; `end` does.
    package borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends it, and waits for that. Its launchers go on.
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

/// A launcher that has no plan yet. It makes the namespaces meanwhile, and the link once it knows the network; it ends when this goes.
package struct WaitingLauncher: ~Copyable {
    let control: ControlChannel
    /// Whether it knows the network.
    private(set) var isMakingLink = false

    init(control: consuming ControlChannel) {
        self.control = control
    }

    /// Has it make the client's link, which takes as long as it takes to make the plan. `Client.start` does where nobody did.
    package mutating func makeLink(_ network: ClientNetwork) {
        control.send(network)
        isMakingLink = true
    }

    /// Its process.
    borrowing func process() throws(SandboxError) -> Int32 {
        switch control.receive() {
        case .launched(let process): return process
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher, or the process that starts launchers, was killed")
        }
    }
}
