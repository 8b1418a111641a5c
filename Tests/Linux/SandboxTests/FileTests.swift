// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing

@testable import Sandbox

@Suite(.enabled(if: Probe.isPossible, "needs /dev/net/tun, and root or user namespaces"))
struct `The client sees` {
    @Test(arguments: Account.all)
    func `our file where the machine has another, and others do not`(account: Account) throws {
        let before = try readFile("/etc/nsswitch.conf")
        let result = try Probe(
            ["show=/etc/nsswitch.conf:hosts: files dns", "--", "cat", "/etc/nsswitch.conf"], account: account
        ).result()
        #expect(result.lines == ["hosts: files dns"])
        #expect(try readFile("/etc/nsswitch.conf") == before)
    }

    @Test(arguments: Account.all)
    func `our file through a symbolic link`(account: Account) throws {
        let folder = try Folder()
        try folder.write("target", "theirs\n")
        try folder.link("link", to: "target")
        let result = try Probe(
            ["show=\(folder.path)/link:ours", "--", "cat", folder.path + "/link", folder.path + "/target"],
            account: account
        ).result()
        #expect(result.lines == ["ours", "ours"])
        #expect(try readFile(folder.path + "/target") == "theirs\n")
    }

    @Test(arguments: Account.all)
    func `our file where there is none, beside what is there`(account: Account) throws {
        let folder = try Folder()
        try folder.write("neighbour", "theirs\n")
        try folder.link("dangling", to: "/nonexistent/target")
        let result = try Probe(
            [
                "show=\(folder.path)/new:1", "show=\(folder.path)/a/b/c:2", "show=\(folder.path)/dangling:3", "--",
                "sh", "-c",
                "cd \(folder.path) && cat new a/b/c dangling neighbour",
            ], account: account
        ).result()
        #expect(result.lines == ["1", "2", "3", "theirs"])
        #expect(try folder.names() == ["dangling", "neighbour"])
    }

    @Test(arguments: Account.all)
    func `a file that begins with another, as the machine has it`(account: Account) throws {
        let folder = try Folder()
        // Longer than one call writes to a pipe, and without an end of line.
        let long = String(repeating: "certificate\n", count: 100_000) + "last:"
        try folder.write("long", long)
        try folder.write("short", "short:")
        let result = try Probe(
            [
                "extend=\(folder.path)/long:\(folder.path)/long:ours",
                "extend=\(folder.path)/short:\(folder.path)/long:more",
                "extend=\(folder.path)/new:\(folder.path)/absent:alone", "extend=\(folder.path)/other:/tmp:folder",
                "extend-other=\(folder.path)/exchanged:\(folder.path)/long:nothing",
                "--",
                "sh", "-c",
                "cd \(folder.path) && tail -n 2 long && wc -c <long && cmp -n \(long.count) long short && cat new other exchanged",
            ], account: account
        ).result()
        #expect(result.lines == ["last:", "ours", "\(long.count + 6)", "alone", "folder", "nothing"])
        #expect(try readFile(folder.path + "/long") == long)
    }

    @Test(arguments: Account.all)
    func `no optional file where no place can be made for it`(account: Account) throws {
        let folder = try Folder()
        try folder.write("present", "theirs\n")
        // Nothing can be mounted over a folder of /proc/self/fdinfo, whatever the kernel.
        let result = try Probe(
            [
                "show-optional=/proc/self/fdinfo/a/b:1", "show-optional=\(folder.path)/present:2",
                "show-optional=\(folder.path)/absent:3", "--", "sh", "-c",
                "cd \(folder.path) && cat present absent && ls /proc/self/fdinfo/a",
            ], account: account
        ).result()
        #expect(result.lines == ["2", "3"])
    }

    @Test(arguments: Account.all)
    func `no socket that is masked`(account: Account) throws {
        let folder = try Folder()
        let path = folder.path + "/daemon"
        let listener = try folder.listen("daemon")
        let script = "test -S \(path) && echo socket; echo x | nc -NU -w1 \(path) 2>&1 | grep -c refused"
        let masked = try Probe(["mask=\(path)", "mask=\(path)", "--", "sh", "-c", script], account: account).result()
        #expect(masked.lines == ["1"])
        let open = try Probe(["--", "sh", "-c", script], account: account).result()
        #expect(open.lines == ["socket", "0"])
        listener.close()
    }

    @Test(arguments: Account.all)
    func `why a file cannot be shown`(account: Account) throws {
        let result = try Probe(["show=/nonexistent/file:1", "--", "true"], account: account).result()
        #expect(result.code == 5)
        #expect(result.errors == "files: /nonexistent/file: mount(overlay): No such file or directory\n")
    }
}

/// A folder for a test, open to everybody.
final class Folder {
    let path: String

    init() throws {
        path = "/tmp/sandbox-test-\(UInt64.random(in: .min ... .max))"
        if unsafe mkdir(path, 0o777) != 0 { throw SystemError("mkdir", Errno(errno), what: path) }
        unsafe chmod(path, 0o777)
    }

    deinit {
        for name in (try? names()) ?? [] { unsafe unlink(path + "/" + name) }
        unsafe rmdir(path)
    }

    func write(_ name: String, _ text: String) throws {
        let file = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        if file < 0 { throw SystemError("open", Errno(errno), what: name) }
        try Descriptor(owning: file).write(Array(text.utf8))
    }

    func link(_ name: String, to target: String) throws {
        if unsafe symlink(target, path + "/" + name) != 0 { throw SystemError("symlink", Errno(errno), what: name) }
    }

    func names() throws -> [String] {
        guard let folder = unsafe opendir(path) else { throw SystemError("opendir", Errno(errno), what: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// A listening Unix socket.
    func listen(_ name: String) throws -> Descriptor {
        let socket = Descriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: (path + "/" + name).utf8) }
        let bound = unsafe withUnsafeBytes(of: &address) { bytes in
            let pointer = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe bind(socket.number, pointer, socklen_t(bytes.count))
        }
        unsafe chmod(path + "/" + name, 0o777)
        if bound != 0 || Glibc.listen(socket.number, 8) != 0 { throw SystemError("bind", Errno(errno), what: name) }
        return socket
    }
}
