// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

/// The state that this process inherited from the user's shell and that the client gets unchanged, whatever the runner changes in its
/// own.
///
/// Captured at the start of main, before any thread, any signal handling and any new descriptor.
package struct Inheritance: Hashable, Sendable {
    package let arguments: [OSString]
    package let environment: Environment
    let ignoredSignals: SignalSet
    let blockedSignals: SignalSet
    /// Descriptors above standard error.
    var descriptors: [Int32]
    let capabilities: CapabilitySets

    /// Captures the state. If standard input, output or error is closed, /dev/null takes its number in this process, so that no file of
    /// ours gets it; it is close-on-exec, so the number is closed in the client again. From here on this process ignores SIGXFSZ: a write
    /// beyond the file size limit fails instead, and can be reported.
    package static func take() -> Inheritance {
        fillStandardDescriptors()
        defer { Signals.ignore(.fileSize) }
        return Inheritance(
            arguments: unsafe strings(CommandLine.unsafeArgv), environment: environment(),
            ignoredSignals: Signals.ignored, blockedSignals: Signals.blocked, descriptors: openDescriptors(),
            capabilities: .current())
    }

    /// A copy with further descriptors for the client, which are not close-on-exec.
    package func passing(_ numbers: [Int32]) -> Inheritance {
        var inheritance = self
        inheritance.descriptors = (descriptors + numbers).sorted()
        return inheritance
    }

    /// This process's current environment.
    package static func environment() -> Environment {
        unsafe Environment(entries: strings(environ))
    }

    static func fillStandardDescriptors() {
        while true {
            let number = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            if number < 0 { return }
            if number > STDERR_FILENO {
                close(number)
                return
            }
        }
    }

    /// Whether this process may configure the network in which it was started.
    package var mayAdministerNetwork: Bool {
        capabilities.effective & CapabilitySets.networkAdministration != 0
    }

    /// A null-terminated vector of C strings.
    private static func strings(_ vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [OSString] {
        var strings: [OSString] = []
        guard var next = unsafe vector else { return strings }
        while let string = unsafe next.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: string, count: strlen(string))
            strings.append(unsafe OSString(Array(bytes)))
            unsafe next += 1
        }
        return strings
    }

    /// The open descriptors above standard error that survive an exec.
    static func openDescriptors() -> [Int32] {
        // Without /proc they are unknown; descriptors that are close-on-exec still close.
        guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
        defer { unsafe closedir(folder) }
        var numbers: [Int32] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
            }
            guard let number = Int32(name), number > STDERR_FILENO, fcntl(number, F_GETFD) & FD_CLOEXEC == 0 else {
                continue
            }
            numbers.append(number)
        }
        return numbers.sorted()
    }
}
