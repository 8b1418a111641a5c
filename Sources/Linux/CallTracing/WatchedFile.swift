// SPDX-License-Identifier: Apache-2.0
/// The relevance of a file that a program opens.
enum WatchedFile {
    /// It describes the machine's network connection: recorded as a call in the evidence.
    case network
    /// It may contain an address that the program uses.
    case ownFile
    /// A file of the system.
    case other

    init(_ path: String) {
        if Self.networkFiles.contains(path) || path.hasPrefix("/proc/net/") || path.hasPrefix("/proc/self/net/") {
            self = .network
        } else if Self.systemFolders.contains(where: path.hasPrefix) {
            self = .other
        } else {
            self = .ownFile
        }
    }

    private static let networkFiles: Set = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/sys/class/net", "/var/run/docker.sock",
    ]
    private static let systemFolders = [
        "/proc/", "/sys/", "/dev/", "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/share/", "/usr/local/lib/",
        "/usr/include/",
        "/etc/ld.so",
        "/etc/ssl/", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
    ]
}
