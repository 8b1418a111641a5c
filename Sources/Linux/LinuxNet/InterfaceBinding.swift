// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Sockets that accept only packets of one interface, so that a flood at that interface takes no buffer of other sockets.
///
/// Interfaces are named by their numbers in this network namespace: a confined process may not look up a name.
package enum InterfaceBinding {
    /// Packets that a process sends to the machine's own addresses arrive here, in every network namespace.
    package static let loopback = 1
    /// SO_BINDTOIFINDEX, for code that sets options by number.
    package static let option: Int32 = 62

    /// Whether this process may bind sockets to interfaces; since Linux 5.7 every process may.
    package static var isPermitted: Bool {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        let file = Descriptor(owning: number)
        return (try? bind(file.number, to: loopback)) != nil
    }

    /// The interface's number; `nil` if there is none of this name.
    package static func index(of name: String) -> Int? {
        let index = unsafe if_nametoindex(name)
        return index == 0 ? nil : Int(index)
    }

    static func bind(_ socket: Int32, to interface: Int) throws(SystemError) {
        var index = Int32(interface)
        guard unsafe setsockopt(socket, SOL_SOCKET, option, &index, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .last("setsockopt(SO_BINDTOIFINDEX)", what: "interface \(interface)")
        }
    }
}
