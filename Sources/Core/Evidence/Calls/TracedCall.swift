// SPDX-License-Identifier: Apache-2.0
/// A system call with which a program touches the network, or asks the machine about it, as the tracer saw it.
package struct TracedCall: Codable, Hashable, Sendable {
    package enum Name: String, Codable, Sendable, CaseIterable {
        case socket, connect, bind, listen, sendto, sendmsg, sendmmsg, setsockopt, ioctl, openat
        /// Only the set-up: calls made in the ring are not seen.
        case ioUringSetup = "io_uring_setup"
    }

    /// The subject of a call.
    package enum Subject: Codable, Hashable, Sendable {
        /// socket
        case socket(SocketKind)
        /// connect, bind, sendto, sendmsg, sendmmsg: the address and its length in octets, as they were given. listen: the address that the
        /// socket was bound to.
        case address(CalledAddress, length: Int, on: SocketKind?)
        /// setsockopt
        case option(level: Int, option: Int, on: SocketKind?)
        /// ioctl about interfaces (SIOCGIF…), and its interface, if it names one.
        case request(UInt32, interface: String?)
        /// sendto and sendmsg to the kernel's routing socket: the message's type (RTM_…) and the address family in it.
        case netlink(type: Int, family: Int)
        /// openat, if the file describes the network or may contain an address.
        case file(String)
        case nothing
    }

    package enum Outcome: Codable, Hashable, Sendable {
        /// The value that it returned.
        case succeeded(Int)
        case failed(ErrorNumber)
        /// A connection of a non-blocking socket; the program did not ask for its outcome.
        case pending
        /// The process ended during the call, or the call was not followed to its end.
        case unknown
    }

    package var name: Name
    package var subject: Subject
    package var outcome: Outcome
    /// Index of the caller in `CallEvidence.programs`.
    package var program: Int
    /// The socket's descriptor; -1 if it has none.
    package var descriptor: Int32 = -1
    /// Time of the first such call, since the client began to run.
    package var time: Duration
    /// How long the call took; for a pending connection, the time until the program asked for its outcome.
    package var duration: Duration = .zero
    /// The program's stack, innermost frame first; empty if it is not known.
    package var frames: [StackFrame] = []
    /// The origin of the address; `nil` if it was not found.
    package var origin: AddressOrigin?
    /// How often the program made the call with that outcome, from any place.
    package var count = 1

    package init(
        _ name: Name, _ subject: Subject, _ outcome: Outcome, program: Int = 0, descriptor: Int32 = -1,
        time: Duration = .zero
    ) {
        self.name = name
        self.subject = subject
        self.outcome = outcome
        self.program = program
        self.descriptor = descriptor
        self.time = time
    }

    package var address: CalledAddress? {
        if case .address(let address, _, _) = subject { address } else { nil }
    }

    /// The kind of the socket that the call was made on.
    package var socket: SocketKind? {
        switch subject {
        case .socket(let kind): kind
        case .address(_, _, let kind), .option(_, _, let kind): kind
        case .request, .netlink, .file, .nothing: nil
        }
    }

    package var error: ErrorNumber? {
        if case .failed(let error) = outcome { error } else { nil }
    }

    /// Whether it was made on the socket of another call, and not before that. A descriptor is compared: a later socket may have it, too.
    package func isLater(onSocketOf other: TracedCall) -> Bool {
        program == other.program && descriptor == other.descriptor && time >= other.time
    }
}
