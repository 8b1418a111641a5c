// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// A client's calls, summed up as they come: what a program did again and again is one entry. Bounded, however much it calls.
package struct CallLog {
    package static let limit = 4096

    package private(set) var calls: [TracedCall] = []
    /// Of each call, where its stack is among the snapshots.
    package private(set) var stacks: [Int?] = []
    package private(set) var lost = 0
    /// Of each call, by what it is found again.
    private var keys: [Key] = []
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var outcome: TracedCall.Outcome
        var program: Int
        /// Where in the program it was made, if the interpreter has told.
        var place: StackFrame?
        /// Which of its kind it is, where each has an entry of its own.
        var number = 0

        init(_ call: TracedCall) {
            name = call.name
            subject = call.subject
            program = call.program
            // The numbers of descriptors and of octets say nothing.
            outcome = if case .succeeded = call.outcome { .succeeded(0) } else { call.outcome }
        }
    }

    /// How many calls there were of a kind that is made from different places: sockets, to an address, and questions to the kernel, which
    /// the C library asks as its users do. Only the stack tells them apart, which is read when all is over; the last entry stands for all that
    /// come after it.
    private var kinds: [Key: Int] = [:]
    private static let entriesOfKind = 8

    package init() {}

    /// Whether it is the first of its kind, and there is room for it.
    package func isNew(_ call: TracedCall) -> Bool { calls.count < Self.limit && places[key(of: call)] == nil }

    /// Whether there was such a call to an address before, from wherever.
    package func isRepeated(_ call: TracedCall) -> Bool { call.address != nil && kinds[Key(call)] != nil }

    private func key(of call: TracedCall) -> Key {
        var key = Key(call)
        guard call.isFromPlaces else { return key }
        if let own = call.frames.own {
            key.place = own
        } else {
            // Half of the room is for calls of other kinds.
            key.number = calls.count < Self.limit / 2 ? min(kinds[key] ?? 0, Self.entriesOfKind - 1) : 0
        }
        return key
    }

    private mutating func count(_ call: TracedCall) {
        if call.isFromPlaces && call.frames.isEmpty { kinds[Key(call), default: 0] += 1 }
    }

    /// - Parameter stack: where its stack is among the snapshots; of no use if it is not the first of its kind.
    /// - Returns: where the call is now; `nil` if there was no room.
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

    /// Where a call was made, if that is not known yet: it is then not to be read from its stack.
    package mutating func tell(_ place: Int, _ frames: [StackFrame]) {
        guard calls[place].frames.isEmpty else { return }
        calls[place].frames = frames
        stacks[place] = nil
    }

    /// A connection that was pending has come to its end.
    /// - Parameter place: where it was added.
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
                // The entry stays, so that places stay what they are; nothing is counted twice.
                calls[known].count += 1
                calls[place].count = 0
            } else {
                places[key] = place
                keys[place] = key
                calls[place] = ended
            }
        }
    }

    /// All calls and where their stacks are.
    package var entries: [(call: TracedCall, stack: Int?)] {
        zip(calls, stacks).filter { $0.0.count > 0 }.map { (call: $0.0, stack: $0.1) }
    }
}

extension TracedCall {
    /// Whether each place in the program that makes it is of interest.
    fileprivate var isFromPlaces: Bool {
        switch subject {
        case .address, .netlink, .socket: true
        case .option, .request, .file, .nothing: false
        }
    }
}
