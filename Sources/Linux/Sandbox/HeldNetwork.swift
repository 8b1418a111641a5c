// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet
internal import Netlink
package import Topology
internal import Wire

/// A client's network under the runner's control, which can change it while the client runs.
///
/// Theory of operation. The launcher opens a route socket in the client's network namespace, and the files of the client's name service
/// for writing, and sends both. A route socket acts on the namespace in which it was made, regardless of the process that uses it; the
/// runner has the right to administer that namespace (it is in the user namespace that owns it, or root). So no process enters the
/// client's namespaces, and no additional process is needed.
///
/// The route socket keeps the namespace alive, so this value should be destroyed with the client.
package struct HeldNetwork: ~Copyable {
    private let routes: RouteSocket
    private let files: [HeldFile]
    private var network: ClientNetwork

    /// The files that change with the network.
    private static let paths = ["/etc/resolv.conf", "/etc/hosts"]

    private final class HeldFile: Sendable {
        let path: String
        private let file: Descriptor

        init(_ path: String, _ file: consuming Descriptor) {
            self.path = path
            self.file = file
        }

        /// Overwrites the file in place: its inode, which glibc checks before each look-up, stays the same. A reader sees the old text or
        /// the new one, possibly with empty lines.
        func replace(by contents: [UInt8]) throws(SystemError) {
            let rest = max(0, Int(lseek(file.number, 0, SEEK_END)) - contents.count)
            lseek(file.number, 0, SEEK_SET)
            try file.write(contents + Array(repeating: UInt8(ascii: "\n"), count: rest), path: path)
            if ftruncate(file.number, contents.count) != 0 {
                throw SystemError("ftruncate", Errno(errno), what: path)
            }
        }
    }

    // MARK: - From the launcher to the runner

    /// The launcher's side. Returns false if the runner is gone.
    static func give(over control: borrowing ControlChannel) throws(SandboxError) -> Bool {
        let routes: RouteSocket
        do throws(NetlinkError) { routes = try RouteSocket() } catch { throw SandboxObstacle.network(error) }
        guard control.send(clinux_message_routes, descriptor: routes.descriptor) else { return false }
        for path in paths {
            let file: Descriptor
            do throws(SystemError) { file = try Descriptor.open(path, flags: O_WRONLY) } catch {
                throw SandboxObstacle.mount(error)
            }
            guard control.send(clinux_message_file, descriptor: file.number) else { return false }
        }
        return true
    }

    /// - Parameter network: the current network.
    static func take(
        from control: borrowing ControlChannel, as network: ClientNetwork
    ) throws(SandboxError) -> HeldNetwork {
        let routes: RouteSocket
        switch control.receive() {
        case .routes(let descriptor):
            do throws(NetlinkError) { routes = try RouteSocket(adopting: descriptor) } catch {
                throw SandboxObstacle.network(error)
            }
        case .failed(let error): throw error
        default: throw lost
        }
        var files: [HeldFile] = []
        for path in paths {
            switch control.receive() {
            case .file(let file): files.append(HeldFile(path, file))
            case .failed(let error): throw error
            default: throw lost
            }
        }
        return HeldNetwork(routes: routes, files: files, network: network)
    }

    private static let lost = SandboxError(.launcher, "the launcher has ended unexpectedly")

    // MARK: - Changes

    /// Removes addresses and routes.
    /// - Parameter isDown: whether the link goes down, too. It always does if its router has advertised itself, and comes up again for the
    ///   next network: so the kernel forgets the advertisement and solicits again.
    package mutating func leave(isDown: Bool) throws(SandboxError) {
        do throws(NetlinkError) {
            let link = try routes.link(named: network.interface).index
            routes.remove(network, from: link)
            if isDown || network.ipv6?.isAdvertised == true { try routes.change(link, LinkChange(isUp: false)) }
        } catch {
            throw SandboxObstacle.network(error)
        }
        network.ipv4 = nil
        network.ipv6 = nil
    }

    /// Moves the client to `next`, after it has left the former network.
    /// - Parameter files: the files that the client is to see; unchanged ones are skipped.
    package mutating func join(_ next: ClientNetwork, showing files: [ShownFile]) throws(SandboxError) {
        var next = next
        next.interface = network.interface
        do throws(NetlinkError) {
            let link = try routes.link(named: next.interface).index
            if next.isThere {
                try changeLoopback(to: next)
                try routes.change(
                    link, LinkChange(isUp: true, mtu: next.mtu, generatesLinkLocalAddress: false))
                try routes.waitUntilRunning(next.interface)
                try routes.add(next, to: link)
                network = next
            }
        } catch {
            throw SandboxObstacle.network(error)
        }
        try show(files)
    }

    /// Shows the client other contents; files whose contents do not change are skipped.
    package func show(_ files: [ShownFile]) throws(SandboxError) {
        do throws(SystemError) {
            for file in files {
                for held in self.files where file.paths.contains(held.path) { try held.replace(by: file.contents) }
            }
        } catch {
            throw SandboxObstacle.mount(error)
        }
    }

    private func changeLoopback(to next: ClientNetwork) throws(NetlinkError) {
        if next.hasIPv4Loopback == network.hasIPv4Loopback { return }
        let address = IPv4Address(127, 0, 0, 1)
        if next.hasIPv4Loopback {
            try routes.add(address, prefixLength: 8, to: .loopback)
        } else {
            try routes.remove(address, prefixLength: 8, from: .loopback)
        }
    }
}
