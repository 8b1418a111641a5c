// SPDX-License-Identifier: Apache-2.0
/// A system call with which a program touches the network, or asks the machine about it, as the tracer saw it.
package struct TracedCall: Codable, Hashable, Sendable {
    package enum Name: String, Codable, Sendable, CaseIterable {
        case socket, connect, bind, listen, sendto, sendmsg, sendmmsg, setsockopt, ioctl, openat
        /// Only its beginning: what goes on in the ring is not seen.
        case ioUringSetup = "io_uring_setup"
    }

    /// What the call is about.
    package enum Subject: Codable, Hashable, Sendable {
        /// socket
        case socket(SocketKind)
        /// connect, bind, sendto, sendmsg, sendmmsg: the address and its length in octets, as they were given; and for listen the
        /// address that the socket was bound to.
        case address(CalledAddress, length: Int, on: SocketKind?)
        /// setsockopt
        case option(level: Int, option: Int, on: SocketKind?)
        /// ioctl about interfaces (SIOCGIF…), and for which interface, if it names one.
        case request(UInt32, interface: String?)
        /// sendto and sendmsg to the kernel's routing socket: the message's type (RTM_…) and the address family in it.
        case netlink(type: Int, family: Int)
        /// openat, where the file tells of the network or may be where an address comes from.
        case file(String)
        case nothing
    }

    package enum Outcome: Codable, Hashable, Sendable {
        /// What it returned.
        case succeeded(Int)
        case failed(ErrorNumber)
        /// A connection of a socket that does not block, whose end the program did not ask for.
        case pending
        /// The process ended in it, or it was not followed to its end.
        case unknown
    }

    package var name: Name
    package var subject: Subject
    package var outcome: Outcome
    /// Where in `CallEvidence.programs` the caller is.
    package var program: Int
    /// Of the socket; -1 if it has none.
    package var descriptor: Int32 = -1
    /// When it was made first, since the client began to run.
    package var time: Duration
    /// How long it took; of a connection that was pending, until the program asked.
    package var duration: Duration = .zero
    /// Where the program stood, the innermost frame first; empty if that is not known.
    package var frames: [StackFrame] = []
    /// Where the program has the address from; `nil` if that was not found.
    package var origin: AddressOrigin?
    /// How often the program made it with that outcome, from wherever.
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

    /// Of the socket that it was made on.
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
}
