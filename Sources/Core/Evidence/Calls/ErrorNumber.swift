// SPDX-License-Identifier: Apache-2.0
/// Why a system call failed, in Linux's numbers.
package struct ErrorNumber: Codable, Hashable, Sendable, RawRepresentable {
    package var rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let notPermitted = ErrorNumber(rawValue: 1)
    package static let notFound = ErrorNumber(rawValue: 2)
    package static let interrupted = ErrorNumber(rawValue: 4)
    package static let noAccess = ErrorNumber(rawValue: 13)
    package static let noDevice = ErrorNumber(rawValue: 19)
    package static let invalid = ErrorNumber(rawValue: 22)
    package static let messageTooLong = ErrorNumber(rawValue: 90)
    package static let noProtocolOption = ErrorNumber(rawValue: 92)
    package static let protocolNotSupported = ErrorNumber(rawValue: 93)
    package static let notSupported = ErrorNumber(rawValue: 95)
    package static let familyNotSupported = ErrorNumber(rawValue: 97)
    package static let addressInUse = ErrorNumber(rawValue: 98)
    package static let addressNotAvailable = ErrorNumber(rawValue: 99)
    package static let networkUnreachable = ErrorNumber(rawValue: 101)
    package static let connectionReset = ErrorNumber(rawValue: 104)
    package static let timedOut = ErrorNumber(rawValue: 110)
    package static let connectionRefused = ErrorNumber(rawValue: 111)
    package static let hostUnreachable = ErrorNumber(rawValue: 113)
    package static let inProgress = ErrorNumber(rawValue: 115)

    /// The name in errno.h; the number itself if it is no error of networking.
    package var name: String { Self.names[rawValue] ?? "errno \(rawValue)" }

    private static let names: [Int32: String] = [
        1: "EPERM", 2: "ENOENT", 4: "EINTR", 5: "EIO", 6: "ENXIO", 9: "EBADF", 11: "EAGAIN", 12: "ENOMEM", 13: "EACCES",
        14: "EFAULT", 16: "EBUSY", 17: "EEXIST", 19: "ENODEV", 20: "ENOTDIR", 22: "EINVAL", 23: "ENFILE", 24: "EMFILE",
        25: "ENOTTY", 32: "EPIPE", 38: "ENOSYS", 88: "ENOTSOCK", 89: "EDESTADDRREQ", 90: "EMSGSIZE", 91: "EPROTOTYPE",
        92: "ENOPROTOOPT", 93: "EPROTONOSUPPORT", 94: "ESOCKTNOSUPPORT", 95: "EOPNOTSUPP", 96: "EPFNOSUPPORT",
        97: "EAFNOSUPPORT", 98: "EADDRINUSE", 99: "EADDRNOTAVAIL", 100: "ENETDOWN", 101: "ENETUNREACH",
        103: "ECONNABORTED", 104: "ECONNRESET", 105: "ENOBUFS", 106: "EISCONN", 107: "ENOTCONN", 110: "ETIMEDOUT",
        111: "ECONNREFUSED", 112: "EHOSTDOWN", 113: "EHOSTUNREACH", 114: "EALREADY", 115: "EINPROGRESS",
    ]
}
