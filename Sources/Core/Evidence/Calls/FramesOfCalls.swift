// SPDX-License-Identifier: Apache-2.0
package import Wire

extension CallEvidence {
    /// Adds to calls the frames that interpreters announced for calls of the same program to the same far end.
    /// - Parameter addresses: the addresses found for a name; empty if the name was not looked up.
    package func withAnnouncedFrames(addresses: (String) -> Set<IPAddress>) -> CallEvidence {
        guard !announced.isEmpty else { return self }
        var evidence = self
        // A call that was announced several times was made as often, in that order; a named host's once for each of its addresses.
        var taken: [AnnouncedCall: Set<IPAddress>] = [:]
        for (index, call) in calls.enumerated()
        where [.connect, .bind, .listen, .sendto, .sendmsg, .sendmmsg].contains(call.name) {
            // The call already has frames from an interpreter.
            guard case .ip(let address, let port)? = call.address, !call.frames.contains(where: { $0.module == nil })
            else { continue }
            let ofProgram = announced.filter { $0.program == call.program && !$0.frames.isEmpty }
            let candidates = ofProgram.filter { $0.port == port }
            // By the time of listen, the kernel has chosen a port for a socket that was bound to port 0.
            let open = call.name == .listen ? ofProgram.filter { $0.port == 0 } : []
            let matches = (candidates + open).filter { candidate in
                if let literal = IPAddress(candidate.host) { return literal == address }
                return addresses(candidate.host).contains(address)
            }
            // One that is made while an earlier one has gone to another address of the host may be that one's next attempt, or its own.
            let match =
                matches.first { taken[$0] == nil && $0.time <= call.time }
                ?? matches.first { taken[$0]?.contains(address) != true } ?? matches.first
            if let match { taken[match, default: []].insert(address) }
            // A name from the hosts file, or from a resolver of the program's own: a single candidate is no guess.
            let named = candidates.filter { IPAddress($0.host) == nil }
            let only = named.count == 1 && addresses(named[0].host).isEmpty ? named.first : nil
            if let frames = (match ?? only)?.frames { evidence.calls[index].frames = frames }
        }
        return evidence
    }

    /// The program's own frame from an interpreter's announcement of this look-up; `nil` if there was none.
    package func announcedFrame(of lookup: Lookup) -> StackFrame? {
        let candidates = announced.filter {
            $0.host == lookup.node && programs.indices.contains($0.program)
                && Int(programs[$0.program].process) == lookup.process
        }
        return (candidates.first { $0.port == nil } ?? candidates.first)?.frames.own
    }
}
