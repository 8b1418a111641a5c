internal import CLinux
internal import Glibc
internal import LinuxNet

/// The launcher: the process that makes the client's place, starts its keeper and becomes the guard of that.
///
/// It is the same executable, started again by `Client.start` with a first argument that no user types. It unshares the
/// network and the mounts, makes the link and sends its other end to the runner, shows the files, waits for "go", and
/// becomes the guard of a keeper (clinux_keeper.h).
package enum Launcher {
    /// The first argument of a launcher.
    package static let argument = "__launch"

    /// Does the launcher's work and never returns, where this process is one. To be called first of all in main.
    package static func runIfAsked() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == argument else { return }
        guard arguments.count == 4, let control = Int32(arguments[2]), let plan = Int32(arguments[3]), control > 2,
            plan > 2, control != plan,
            fcntl(control, F_SETFD, FD_CLOEXEC) == 0, fcntl(plan, F_SETFD, FD_CLOEXEC) == 0
        else { exit(EX_USAGE) }
        run(ControlChannel(UnixSocket(owning: Descriptor(owning: control))), planFile: Descriptor(owning: plan))
    }

    private static func run(_ control: consuming ControlChannel, planFile: consuming Descriptor) -> Never {
        Inheritance.fillStandardDescriptors()
        do throws(SandboxError) {
            let plan = try readPlan(planFile)
            // What the runner's libraries may have opened without close-on-exec is not the client's.
            for number in Inheritance.openDescriptors() where !plan.inheritance.descriptors.contains(number) {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            }
            try makeNamespaces()
            let link = try ClientLink.make(plan.network)
            guard control.send(clinux_message_link, descriptor: link.descriptor) else { exit(EXIT_FAILURE) }
            if let name = plan.socketName {
                let socket = try ClientLink.makeSocket(name)
                guard control.send(clinux_message_socket, descriptor: socket.descriptor) else { exit(EXIT_FAILURE) }
            }
            NetworkInSysfs.show()
            try FileDisplay.show(plan.files, masking: plan.maskedSockets)
            if plan.isNetworkHeld, try !HeldNetwork.give(over: control) { exit(EXIT_FAILURE) }
            guard case .go = control.receive() else { exit(EXIT_FAILURE) }
            // The router speaks once the runner has its end of the link.
            try ClientLink.awaitAdvertisement(plan.network)
            let reason = keep(plan, control: control.descriptor)
            control.send(clinux_message_not_forked, value: reason.number)
        } catch {
            control.send(error)
        }
        exit(EXIT_FAILURE)
    }

    private static func readPlan(_ file: borrowing Descriptor) throws(SandboxError) -> ClientPlan {
        do {
            return try ClientPlan(decoding: MemoryFile.contents(of: file))
        } catch {
            throw SandboxError(.launcher, "the launcher cannot read its plan: \(error)")
        }
    }

    /// A network and mounts of the client's own. They belong to the user namespace that the runner entered, if it did.
    private static func makeNamespaces() throws(SandboxError) {
        if clinux_unshare(Int32(clinux_new_network | clinux_new_mounts)) != 0 {
            throw Diagnosis.namespaces(SystemError("unshare(CLONE_NEWNET | CLONE_NEWNS)", Errno(errno)))
        }
        if clinux_make_mounts_private() != 0 { throw Diagnosis.mount(SystemError("mount(MS_PRIVATE)", Errno(errno))) }
    }

    /// Becomes the keeper's guard; returns only where there can be no keeper.
    private static func keep(_ plan: ClientPlan, control: Int32) -> Errno {
        unsafe withCStrings([plan.program]) { program in
            unsafe withCStrings(plan.arguments) { arguments in
                unsafe withCStrings(plan.environment.entries) { environment in
                    var keeper = unsafe clinux_keeper(
                        control: control, program: program[0], arguments: arguments, environment: environment,
                        ignored_signals: plan.inheritance.ignoredSignals.rawValue,
                        blocked_signals: plan.inheritance.blockedSignals.rawValue,
                        capabilities: plan.inheritance.capabilities.raw, is_shell: plan.isShell,
                        is_traced: plan.isTraced)
                    _ = unsafe clinux_keep(&keeper)
                    return Errno(errno)
                }
            }
        }
    }
}

extension Launcher {
    /// Starts this executable again, as the launcher, with these two descriptors; they are close-on-exec everywhere else.
    static func start(control: Int32, plan: Int32, streams: StandardStreams) throws(SystemError) -> Int32 {
        let words = ["ipv6check", argument, "\(control)", "\(plan)"]
        var launcher = Spawning("/proc/self/exe", arguments: words.map { OSString($0) })
        launcher.descriptors =
            [(control, control), (plan, plan)] + streams.replacements.map { (number: $0.number, descriptor: $0.by) }
        return try launcher.start()
    }
}
