// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Commands that fix something, adapted to this machine: a command that it lacks is of no help.
package struct Toolbox: Sendable {
    /// Returns whether there is a program of this name.
    private let has: @Sendable (String) -> Bool
    private let isRoot: Bool

    package init(isRoot: Bool, has: @escaping @Sendable (String) -> Bool) {
        self.isRoot = isRoot
        self.has = has
    }

    /// The tools of this machine. Programs for root are often not in the PATH of other users.
    package static let machine = Toolbox(isRoot: geteuid() == 0) { name in
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        let folders =
            path.split(separator: ":").filter { $0.hasPrefix("/") } + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
        return folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
    }

    /// A command that must be run as root.
    package func asRoot(_ command: String) -> String {
        isRoot ? command : has("sudo") ? "sudo \(command)" : "as root: \(command)"
    }

    /// Changes kernel settings such as `user.max_user_namespaces`.
    package func setting(_ settings: (name: String, value: Int)...) -> String {
        if has("sysctl") {
            return asRoot("sysctl -w " + settings.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        }
        return asShell(
            settings.map { setting in
                "echo \(setting.value) > /proc/sys/" + String(setting.name.map { $0 == "." ? "/" : $0 })
            }.joined(separator: "; "))
    }

    /// Loads a kernel module.
    package func module(_ name: String) -> String {
        has("modprobe") ? asRoot("modprobe \(name)") : "load the module \(name) into the kernel"
    }

    /// Loads the TUN module, or creates its device if the module is loaded.
    package var tunDevice: String {
        let node = asShell("mkdir -p /dev/net && mknod /dev/net/tun c 10 200")
        return has("modprobe") ? "\(asRoot("modprobe tun")) || \(node)" : node
    }

    /// Installs a Debian package.
    package func package(_ name: String) -> String {
        has("apt-get") ? asRoot("apt-get install \(name)") : "install \(name) (so Debian calls the package)"
    }

    /// A shell command line, including redirections that `sudo` alone would leave to the user's own shell.
    private func asShell(_ script: String) -> String { isRoot ? script : asRoot("sh -c '\(script)'") }
}
