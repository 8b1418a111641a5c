// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// A client's calls, aggregated as they arrive: repeated calls of a program share one entry. Bounded, however many calls there are.
package struct CallLog {
    package static let limit = 4096

    package private(set) var calls: [TracedCall] = []
    /// For each call, the index of its stack among the snapshots.
    package private(set) var stacks: [Int?] = []
    package private(set) var lost = 0
    /// For each call, the key that identifies it.
    private var keys: [Key] = []
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var outcome: TracedCall.Outcome
        var program: Int
        /// The code location of the call, if the interpreter has announced it.
        var place: StackFrame?
        /// Its number among calls of its kind, if each of them has its own entry.
        var number = 0

        init(_ call: TracedCall) {
            name = call.name
            subject = call.subject
            program = call.program
            // Descriptor numbers and octet counts are ignored.
            outcome = if case .succeeded = call.outcome { .succeeded(0) } else { call.outcome }
        }
    }

    /// Number of calls of each kind that is made from different places: sockets, calls to an address, and queries of the kernel, which
    /// the C library makes as well as its users. Only the stack distinguishes them, and it is not read before the end; the last entry
    /// represents all later ones.
    private var kinds: [Key: Int] = [:]
    private static let entriesOfKind = 8

    package init() {}

    /// Whether the call is the first of its kind, and there is room for it.
    package func isNew(_ call: TracedCall) -> Bool { calls.count < Self.limit && places[key(of: call)] == nil }

    /// Whether there was such a call to an address before, from any place.
    package func isRepeated(_ call: TracedCall) -> Bool { call.address != nil && kinds[Key(call)] != nil }

    private func key(of call: TracedCall) -> Key {
        var key = Key(call)
        guard call.isFromPlaces else { return key }
        if let own = call.frames.own {
            key.place = own
        } else {
            // Half of the room is reserved for other kinds of calls.
            key.number = calls.count < Self.limit / 2 ? min(kinds[key] ?? 0, Self.entriesOfKind - 1) : 0
        }
        return key
    }

    private mutating func count(_ call: TracedCall) {
        if call.isFromPlaces && call.frames.isEmpty { kinds[Key(call), default: 0] += 1 }
    }

    /// - Parameter stack: the index of its stack among the snapshots; ignored if it is not the first of its kind.
    /// - Returns: the index of the call's entry; `nil` if there was no room.
    @discardableResult
    package mutating func add(_ call: TracedCall, stack: Int? = nil) -> Int? {
        let key = key(of: call)
        count(call)
        if let place = places[key] {
            calls[place].count += 1
            return place
        }
        guard calls.count < Self.limit else {
            lost += 1
            return nil
        }
        places[key] = calls.count
        keys.append(key)
        calls.append(call)
        stacks.append(stack)
        return calls.count - 1
    }

    /// Sets the frames of a call if they are not known yet. They then replace its stack snapshot.
    package mutating func tell(_ place: Int, _ frames: [StackFrame]) {
        guard calls[place].frames.isEmpty else { return }
        calls[place].frames = frames
        stacks[place] = nil
    }

    /// Records the end of a connection that was pending.
    /// - Parameter place: the index that `add` returned.
    package mutating func end(_ place: Int, as outcome: TracedCall.Outcome, after duration: Duration) {
        var ended = calls[place]
        let stack = stacks[place]
        ended.outcome = outcome
        ended.duration = duration
        if calls[place].count > 1 {
            calls[place].count -= 1
            ended.count = 1
            add(ended, stack: stack)
        } else {
            let key = key(of: ended)
            count(ended)
            places[keys[place]] = nil
            if let known = places[key] {
                // The entry stays, so that indices do not change; nothing is counted twice.
                calls[known].count += 1
                calls[place].count = 0
            } else {
                places[key] = place
                keys[place] = key
                calls[place] = ended
            }
        }
    }

    /// All calls and the indices of their stacks.
    package var entries: [(call: TracedCall, stack: Int?)] {
        zip(calls, stacks).filter { $0.0.count > 0 }.map { (call: $0.0, stack: $0.1) }
    }
}

extension TracedCall {
    /// Whether calls from different places in the program are distinguished.
    fileprivate var isFromPlaces: Bool {
        switch subject {
        case .address, .netlink, .socket: true
        case .option, .request, .file, .nothing: false
        }
    }
}
