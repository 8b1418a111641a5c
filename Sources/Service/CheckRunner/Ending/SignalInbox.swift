// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Wire

/// The signals that came to the runner while it had a client, and their meaning.
///
/// A signal from a process asks for the end of the whole run: the client gets it, and some time to end by itself. ^C and ^\ from a terminal
/// reach the client directly, and it decides what they mean and when. A client that succeeds after SIGINT or SIGQUIT was not cancelled. A
/// second signal means that the user does not want to wait.
struct SignalInbox {
    /// Whether ^C and ^\ of the terminal are the client's alone, as a shell's are.
    var leavesTerminalToClient = false
    private var forwarded: [Int32] = []
    /// The first signal that asked for an end, and when it came.
    private var request: (number: Int32, at: Instant, isOfTerminal: Bool)?
    /// A further signal, which came later.
    private(set) var insisted: Int32?

    /// One request may come twice at once: `timeout` signals its child, and then the group.
    static let echo = Duration.milliseconds(200)
    /// Two ^C further apart than this come from a user typing at the client.
    static let insistence = Duration.seconds(3)
    /// Time for a client to end by itself before it is killed. CI services give a job some 7 to 10 s.
    static let grace = Duration.seconds(5)
    /// Maximum number of signals that wait to be passed on; more are dropped, as the kernel itself keeps one of each.
    private static let limit = 64

    init(leavesTerminalToClient: Bool = false) {
        self.leavesTerminalToClient = leavesTerminalToClient
    }

    var first: Int32? { request?.number }
    var firstArrival: Instant? { request?.at }

    var isEmpty: Bool { forwarded.isEmpty && request == nil }

    mutating func add(_ signal: SignalArrival, at now: Instant) {
        let isOfTerminal = signal.isTyped && !Self.endsAll(signal.number)
        if isOfTerminal && leavesTerminalToClient { return }
        if !isOfTerminal, forwarded.count < Self.limit { forwarded.append(signal.number) }
        guard let before = request else {
            request = (signal.number, now, isOfTerminal)
            return
        }
        let pause = now - before.at
        if pause < Self.echo { return }
        if isOfTerminal && pause > Self.insistence {
            request = (signal.number, now, isOfTerminal)
        } else {
            insisted = signal.number
        }
    }

    mutating func takeForwarded() -> [Int32] {
        defer { forwarded = [] }
        return forwarded
    }

    var graceEnd: Instant? {
        guard let request, !request.isOfTerminal else { return nil }
        return request.at + Self.grace
    }

    /// The signal that cancelled the run that has ended, if one did. Empties the inbox.
    mutating func settle(_ end: ExitOutcome) -> Int32? {
        defer { self = SignalInbox(leavesTerminalToClient: leavesTerminalToClient) }
        if let request, Self.endsAll(request.number) || !end.isSuccess { return request.number }
        // The signal was sent to the client alone, or reaches the runner a moment later.
        if case .killed(let number) = end, SignalSet([.interrupt, .quit]).contains(number: number) { return number }
        return nil
    }

    /// Whether a signal ends everything, whatever the client does with it.
    private static func endsAll(_ number: Int32) -> Bool {
        SignalSet([.hangUp, .terminate]).contains(number: number)
    }
}
