// SPDX-License-Identifier: Apache-2.0
import AttachProtocol

// What a daemon and its simulator's process say to each other, beginning when the process has been forked:
//
//     daemon                                   simulator's process
//     hold (with a descriptor) … begin ────►
//            ◄──────────────────────────────   ready, or failed
//     file (with its contents) … reload ────►
//            ◄──────────────────────────────   reloaded or kept
//     unreadable, destinations ─────────────►
//
// A daemon that hangs up ends the process in good order. What the process says is believed in nothing but its own state.

/// What the daemon says.
enum ServingOrder: AttachMessage, Hashable, Sendable {
    /// Comes with a descriptor that the process is to have open.
    case hold(HeldDescriptors.Kind)
    /// These were all of them.
    case begin
    /// Comes with the contents of a file of the configuration, in a file in memory.
    case file(path: String)
    /// The configuration is to be read again, from the files that have come since the last time.
    case reload
    /// It could not be read, and the log is to say so.
    case unreadable(reason: String)
    /// Comes with a file in memory that says what the uplink lets through from now on.
    case destinations

    static let plain: [(message: ServingOrder, text: String)] =
        [(.begin, "begin"), (.reload, "reload"), (.destinations, "destinations")]
        + HeldDescriptors.Kind.allCases.map { (.hold($0), "hold \($0.rawValue)") }
}

/// What the process says.
enum ServingNews: AttachMessage, Hashable, Sendable {
    case ready
    case failed(reason: String)
    /// The configuration that was read last holds, as far as that is possible without a restart.
    case reloaded
    /// The one before it holds.
    case kept

    static let plain: [(message: ServingNews, text: String)] = [
        (.ready, "ready"), (.reloaded, "reloaded"), (.kept, "kept"),
    ]
}

extension String {
    /// As much of it as fits into a message, however JSON writes it.
    var asReason: String { String(decoding: utf8.prefix(8192), as: UTF8.self) }
}
