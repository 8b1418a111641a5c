// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The descriptors that an epoll watches, and the events watched for: epoll's interest list (epoll(7)).
///
/// It can be changed from any thread, even while another one waits. A reference to it keeps the epoll open.
package final class InterestList: Sendable {
    private let file: Descriptor

    package init() throws(SystemError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        if number < 0 { throw .last("epoll_create1") }
        file = Descriptor(owning: number)
    }

    /// The epoll's own number, for waiting.
    var number: Int32 { file.number }

    /// Watches a descriptor. It is removed automatically when the last descriptor of the open file is closed.
    package func add(_ descriptor: Int32, _ interest: Epoll.Readiness, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token, "epoll_ctl(EPOLL_CTL_ADD)")
    }

    /// Changes the watched events of a descriptor, and its token.
    package func modify(_ descriptor: Int32, _ interest: Epoll.Readiness, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, interest, token, "epoll_ctl(EPOLL_CTL_MOD)")
    }

    package func remove(_ descriptor: Int32) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor, [], 0, "epoll_ctl(EPOLL_CTL_DEL)")
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Epoll.Readiness, _ token: UInt64, _ call: String
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        if unsafe epoll_ctl(file.number, operation, descriptor, &event) != 0 { throw .last(call) }
    }
}
