// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Evidence

/// Reads the call at which a thread is stopped.
struct CallReader {
    /// A call and how it is handled.
    enum Reading {
        /// The call is not recorded.
        case nothing
        /// - Parameter inode: the socket's; `nil` if it has none, or it is not needed.
        case call(TracedCall.Name, TracedCall.Subject, descriptor: Int32, inode: UInt64?)
        /// The program asks for the outcome of this descriptor's connection; the answer will be at this address.
        case question(descriptor: Int32, answer: UInt64)
        /// The path of a file that the program reads for itself.
        case file(String)
        case frames(AnnouncedFrames)
        /// The program changes its own user or group, or the owner of a file, by a function of this kind.
        case identity(String)
        /// The program ends itself with this status.
        case exit(status: Int32)
        /// The program wants to trace another one, or to be traced, which is not possible while we trace it.
        case rivalTracer
    }

    let files: ProcessFiles
    let sockets: ProcessSockets

    private static let routeMessages: Set<Int> = [18, 22, 26]  // RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE

    func read(_ call: clinux_traced_call) -> Reading {
        let memory = ClientMemory(process: sockets.process, is32Bit: call.is_32_bit)
        let arguments = call.arguments
        let descriptor = Int32(truncatingIfNeeded: arguments.0)
        switch Int(call.call) {
        case clinux_called_socket:
            let kind = SocketKind(
                family: Int(truncatingIfNeeded: Int32(truncatingIfNeeded: arguments.0)), type: Int(arguments.1 & 0xf),
                protocol: Int(Int32(truncatingIfNeeded: arguments.2)))
            return .call(.socket, .socket(kind), descriptor: -1, inode: nil)
        case clinux_called_connect:
            return address(.connect, descriptor, at: arguments.1, length: arguments.2, memory)
        case clinux_called_bind:
            return address(.bind, descriptor, at: arguments.1, length: arguments.2, memory)
        case clinux_called_listen: return listen(descriptor)
        case clinux_called_sendto:
            return send(.sendto, descriptor, to: arguments.4, length: arguments.5, message: arguments.1, memory)
        case clinux_called_sendmsg: return sendMessage(.sendmsg, descriptor, at: arguments.1, memory)
        // The first message represents all of them.
        case clinux_called_sendmmsg: return sendMessage(.sendmmsg, descriptor, at: arguments.1, memory)
        case clinux_called_setsockopt:
            let subject = TracedCall.Subject.option(
                level: Int(Int32(truncatingIfNeeded: arguments.1)), option: Int(Int32(truncatingIfNeeded: arguments.2)),
                on: kind(of: descriptor))
            return .call(.setsockopt, subject, descriptor: descriptor, inode: nil)
        case clinux_called_getsockopt: return .question(descriptor: descriptor, answer: arguments.3)
        case clinux_called_ioctl:
            let request = UInt32(truncatingIfNeeded: arguments.1)
            // The first member of struct ifreq is the interface's name; SIOCGIFCONF asks for all interfaces.
            let interface = request == 0x8912 ? nil : memory.text(at: arguments.2, limit: 16)
            return .call(.ioctl, .request(request, interface: interface), descriptor: descriptor, inode: nil)
        case clinux_called_openat: return open(folder: descriptor, path: arguments.1, flags: arguments.2, memory)
        case clinux_called_io_uring_setup: return .call(.ioUringSetup, .nothing, descriptor: -1, inode: nil)
        case clinux_called_change_owner: return .identity("chown")
        case clinux_called_change_user: return .identity("setuid or setgid")
        case clinux_called_ptrace: return .rivalTracer
        case clinux_called_exit: return .exit(status: descriptor & 0xff)
        default: return .nothing
        }
    }

    private func address(
        _ name: TracedCall.Name, _ descriptor: Int32, at pointer: UInt64, length: UInt64, _ memory: ClientMemory
    ) -> Reading {
        let length = Int(Int32(truncatingIfNeeded: length))
        // The size of an IPv6 address: a program that passes too short a length has the rest of the address there, too.
        let octets = memory.octets(at: pointer, count: max(28, min(length, CalledAddress.sizeLimit)))
        let address = CalledAddress(octets, length: length)
        if case .other(family: SocketKind.netlink) = address { return .nothing }
        let socket = socket(of: descriptor)
        // AF_UNSPEC: dissolves a connection, as in getaddrinfo. On a stream it is more often an address that was never filled in.
        if name == .connect, case .other(family: 0) = address, socket?.kind.type != SocketKind.stream {
            return .nothing
        }
        return .call(
            name, .address(address, length: length, on: socket?.kind), descriptor: descriptor, inode: socket?.inode)
    }

    private func send(
        _ name: TracedCall.Name, _ descriptor: Int32, to pointer: UInt64, length: UInt64, message: UInt64,
        _ memory: ClientMemory
    ) -> Reading {
        let family = memory.octets(at: pointer, count: 2).first.map(Int.init)
        switch family {
        case SocketKind.netlink:
            // struct nlmsghdr, and the octet after it: the requested family (rtnetlink(7)).
            let header = memory.octets(at: message, count: 17)
            guard header.count == 17 else { return .nothing }
            let type = Int(header[4]) | Int(header[5]) << 8
            guard Self.routeMessages.contains(type), kind(of: descriptor)?.protocol == 0 else { return .nothing }
            return .call(name, .netlink(type: type, family: Int(header[16])), descriptor: descriptor, inode: nil)
        case SocketKind.ipv4, SocketKind.ipv6:
            return address(name, descriptor, at: pointer, length: length, memory)
        default: return .nothing
        }
    }

    /// struct msghdr: the address and its length, then the parts of the message.
    private func sendMessage(
        _ name: TracedCall.Name, _ descriptor: Int32, at header: UInt64, _ memory: ClientMemory
    ) -> Reading {
        let word = UInt64(memory.wordSize)
        let pointer = memory.word(at: header)
        guard pointer != 0, let length = memory.int(at: header &+ word) else { return .nothing }
        let pieces = memory.word(at: header &+ 2 * word)
        return send(
            name, descriptor, to: pointer, length: UInt64(truncatingIfNeeded: length), message: memory.word(at: pieces),
            memory)
    }

    private func listen(_ descriptor: Int32) -> Reading {
        guard let kind = kind(of: descriptor), [SocketKind.ipv4, SocketKind.ipv6].contains(kind.family) else {
            return .nothing
        }
        let octets = sockets.name(of: descriptor)
        let address = CalledAddress(octets, length: octets.count)
        return .call(.listen, .address(address, length: octets.count, on: kind), descriptor: descriptor, inode: nil)
    }

    private func open(folder: Int32, path pointer: UInt64, flags: UInt64, _ memory: ClientMemory) -> Reading {
        var path = memory.text(at: pointer)
        if let frames = AnnouncedFrames(path: path) { return .frames(frames) }
        // O_WRONLY, O_EXCL, O_TRUNC and O_DIRECTORY: the program does not read the file. With O_CREAT alone it may, as SQLite does.
        if path.isEmpty || flags & (0o1 | 0o200 | 0o1000 | 0o200000) != 0 { return .nothing }
        if !path.hasPrefix("/") {
            // AT_FDCWD
            path = (folder == -100 ? files.workingDirectory : files.path(of: folder)) + "/" + path
        }
        switch WatchedFile(path) {
        case .network: return .call(.openat, .file(path), descriptor: -1, inode: nil)
        case .ownFile: return .file(path)
        case .other: return .nothing
        }
    }

    private func kind(of descriptor: Int32) -> SocketKind? { socket(of: descriptor)?.kind }

    private func socket(of descriptor: Int32) -> (kind: SocketKind, inode: UInt64)? { sockets.kind(of: descriptor) }
}
