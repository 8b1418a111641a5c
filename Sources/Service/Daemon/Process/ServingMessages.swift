// SPDX-License-Identifier: Apache-2.0
import AttachProtocol

// The messages between a daemon and its simulator's process, from the fork on:
//
//     daemon                                   simulator's process
//     hold (with a descriptor) … begin ────►
//            ◄──────────────────────────────   ready, or failed
//     file (with its contents) … reload ────►
//            ◄──────────────────────────────   reloaded or kept
//     unreadable, destinations ─────────────►
//
// A daemon that hangs up ends the process in good order. The process's messages are trusted about its own state only.

/// A message of the daemon.
enum ServingOrder: AttachMessage, Hashable, Sendable {
    /// Comes with a descriptor that the process is to keep open.
    case hold(HeldDescriptors.Kind)
    /// The end of the descriptors.
    case begin
    /// Comes with the contents of a file of the configuration, in a file in memory.
    case file(path: String)
    /// The configuration is to be read again, from the files that have come since the last time.
    case reload
    /// The configuration could not be read, which the process is to log.
    case unreadable(reason: String)
    /// Comes with a file in memory that lists the destinations that the uplink allows from now on.
    case destinations

    static let plain: [(message: ServingOrder, text: String)] =
        [(.begin, "begin"), (.reload, "reload"), (.destinations, "destinations")]
        + HeldDescriptors.Kind.allCases.map { (.hold($0), "hold \($0.rawValue)") }
}

/// A message of the simulator's process.
enum ServingNews: AttachMessage, Hashable, Sendable {
    case ready
    case failed(reason: String)
    /// The configuration that was read last is in force, as far as that is possible without a restart.
    case reloaded
    /// The previous configuration stays in force.
    case kept

    static let plain: [(message: ServingNews, text: String)] = [
        (.ready, "ready"), (.reloaded, "reloaded"), (.kept, "kept"),
    ]
}

extension String {
    /// As much of the text as fits into a message, however JSON escapes it.
    var asReason: String { String(decoding: utf8.prefix(8192), as: UTF8.self) }
}
