internal import CLinux
internal import Glibc
internal import LinuxNet

/// Where launchers come from: a process that forks one for each client.
///
/// Theory of operation. A launcher is a fork of this program, for to load the program once more takes longer than all that a launcher
/// does. Only a process with one thread may fork so, and a runner soon has more. So it forks this one while it has one, in the namespaces
/// that are its own from then on; and this one forks again, when it is asked to. It keeps of the runner's descriptors what clients get. A
/// launcher is the runner's child (CLONE_PARENT), to be waited for there.
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
            ) { socket, _ in serve(ControlChannel(socket)) }
            return Zygote(process: process, channel: ControlChannel(pair.first))
        } catch {
            throw Diagnosis.noProcess(error.errno)
        }
    }

    /// - Parameter control: the launcher's end of its control socket.
    /// - Returns: the launcher's process, which waits for its streams and its plan.
    borrowing func launch(control: Int32) throws(SandboxError) -> Int32 {
        if channel.send(clinux_message_launch, descriptor: control) {
            switch channel.receive() {
            case .launched(let process): return process
            case .failed(let error): throw error
            default: break
            }
        }
        throw SandboxError(.launcher, "the process that starts launchers was killed")
    }

    /// Tells it to end, and does not wait; `end` does.
    package borrowing func tellToEnd() { process.tellToEnd() }

    /// Ends it, and waits for that. Its launchers go on.
    package consuming func end() {}

    private static func serve(_ channel: consuming ControlChannel) {
        while case .launch(let control) = channel.receive() {
            let process = clinux_fork_sibling()
            if process == 0 {
                _ = consume channel
                Launcher.run(ControlChannel(UnixSocket(owning: control)))
            }
            if process < 0 {
                channel.send(clinux_message_not_forked, value: errno)
            } else {
                channel.send(clinux_message_launched, value: process)
            }
        }
    }
}
