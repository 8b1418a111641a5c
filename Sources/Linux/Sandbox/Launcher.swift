// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Topology

/// The launcher: the process that prepares the client's namespaces, starts its keeper and becomes the keeper's guard.
///
/// A fork of the zygote (`Zygote`). It unshares the network and the mounts, receives the client's network, makes the link and sends its
/// other end to the runner, receives the client's standard streams and its plan, shows the files, and becomes the guard of a keeper,
/// which waits for "go" (clinux_keeper.h). The runner makes the plan while the launcher makes the link.
enum Launcher {
    /// Does the launcher's work in this process, which has only the client's descriptors and `control`.
    /// - Parameter runner: this process's parent.
    static func run(_ control: consuming ControlChannel, runner: Int32) -> Never {
        do throws(SandboxError) {
            // A stopped launcher would not notice the runner's end. The guard does, and has to clean up, so it turns this off.
            try? Signals.send(SIGKILL, whenParentEnds: runner)
            // The client's process group. The runner knows it by this process's number.
            setpgid(0, 0)
            control.send(clinux_message_launched, value: getpid())
            // Every plan needs these, so the runner can have them made before it has a plan.
            try makeNamespaces()
            guard case .network(let network) = control.receive() else { _exit(EXIT_FAILURE) }
            let link = try ClientInterface.make(network)
            guard control.send(clinux_message_link, descriptor: link.descriptor) else { _exit(EXIT_FAILURE) }
            let plan = try takePlan(from: control)
            if let name = plan.socketName {
                let socket = try ClientInterface.makeSocket(name)
                guard control.send(clinux_message_socket, descriptor: socket.descriptor) else { _exit(EXIT_FAILURE) }
            }
            if plan.recordsClosedSockets, !recordClosedSockets(over: control) { _exit(EXIT_FAILURE) }
            for port in plan.servedPorts {
                for address in ClientInterface.loopbackAddresses {
                    let listener = try ClientInterface.makeListener(at: address, port)
                    guard control.send(clinux_message_listener, descriptor: listener.descriptor) else {
                        _exit(EXIT_FAILURE)
                    }
                }
            }
            NetworkInSysfs.show()
            try FileDisplay.show(plan.files, masking: plan.maskedSockets)
            if plan.isNetworkHeld, try !HeldNetwork.give(over: control) { _exit(EXIT_FAILURE) }
            let isAdvertised = network.ipv6?.isAdvertised ?? false
            var hasTerminal = false
            if isAdvertised {
                guard case .go(let givesTerminal) = control.receive() else { _exit(EXIT_FAILURE) }
                hasTerminal = givesTerminal
                // The router sends advertisements once the runner has its end of the link.
                try ClientInterface.awaitAdvertisement(network)
            }
            try? Signals.send(0, whenParentEnds: runner)
            let reason = keep(
                plan, control: control.descriptor, waitsForGo: !isAdvertised, hasTerminal: hasTerminal)
            control.send(clinux_message_not_forked, value: reason.number)
        } catch {
            control.send(error)
        }
        _exit(EXIT_FAILURE)
    }

    private static func takePlan(from control: borrowing ControlChannel) throws(SandboxError) -> ClientPlan {
        while true {
            switch control.receive() {
            case .stream(let number, let file):
                // Not close-on-exec, like the descriptor that it replaces.
                if dup2(file.number, number) < 0 { throw SandboxError(.launcher, SystemError("dup2", Errno(errno))) }
            case .plan(let file):
                do {
                    return try ClientPlan(decoding: MemoryFile.contents(of: file))
                } catch {
                    throw SandboxError(.launcher, "the launcher cannot read its plan: \(error)")
                }
            // The runner is gone.
            default: _exit(EXIT_FAILURE)
            }
        }
    }

    /// Returns whether the runner was there to receive them.
    private static func recordClosedSockets(over control: borrowing ControlChannel) -> Bool {
        guard let record = try? ClosedSockets.watch() else { return control.send(clinux_message_closed_sockets) }
        let (messages, last) = record.descriptors
        return control.send(clinux_message_closed_sockets, descriptor: messages)
            && control.send(clinux_message_closed_sockets, descriptor: last)
    }

    /// Makes the client's network and mount namespaces. They belong to the user namespace that the runner entered, if it did.
    private static func makeNamespaces() throws(SandboxError) {
        if clinux_unshare(Int32(clinux_new_network | clinux_new_mounts)) != 0 {
            throw SandboxObstacle.namespaces(SystemError("unshare(CLONE_NEWNET | CLONE_NEWNS)", Errno(errno)))
        }
        if clinux_make_mounts_private() != 0 {
            throw SandboxObstacle.mount(SystemError("mount(MS_PRIVATE)", Errno(errno)))
        }
    }

    /// Becomes the keeper's guard; returns only if there can be no keeper.
    private static func keep(
        _ plan: ClientPlan, control: Int32, waitsForGo: Bool, hasTerminal: Bool
    ) -> Errno {
        unsafe withCStrings([plan.program]) { program in
            unsafe withCStrings(plan.arguments) { arguments in
                unsafe withCStrings(plan.environment.entries) { environment in
                    var keeper = unsafe clinux_keeper(
                        control: control, program: program[0], arguments: arguments, environment: environment,
                        ignored_signals: plan.inheritance.ignoredSignals.rawValue,
                        blocked_signals: plan.inheritance.blockedSignals.rawValue,
                        capabilities: plan.inheritance.capabilities.raw, is_shell: plan.isShell,
                        has_terminal: hasTerminal, waits_for_go: waitsForGo,
                        is_traced: plan.isTraced, leaves_terminal: plan.leavesTerminal)
                    _ = unsafe clinux_keep(&keeper)
                    return Errno(errno)
                }
            }
        }
    }
}
