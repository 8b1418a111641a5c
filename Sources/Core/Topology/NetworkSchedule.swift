// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text
import Wire

/// The networks that a client is on in the course of time, written `dual-stack 5s, none 1s, nat64`: the last phase lasts until the client
/// ends.
///
/// Between two networks there may be none: no address, no route, and the link is down.
package struct NetworkSchedule: Codable, Hashable, Sendable {
    package struct Phase: Codable, Hashable, Sendable {
        /// `nil`: no network.
        package let network: Network?
        /// `nil` for the last phase.
        package let duration: Duration?

        fileprivate func prolonged(by next: Phase) -> Phase {
            guard let duration, let more = next.duration else { return next }
            return Phase(network: network, duration: duration + more)
        }
    }

    /// At least one, and one of them has a network.
    package let phases: [Phase]
    /// The network that a run is judged by: the last one that differs from the control run's. If there is none, the control run's.
    package let network: Network

    /// A schedule with one network all the time.
    package init(_ network: Network) {
        phases = [Phase(network: network, duration: nil)]
        self.network = network
    }

    private init(_ phases: [Phase], judgedBy network: Network) {
        self.phases = phases
        self.network = network
    }

    package static let nat64 = NetworkSchedule(.nat64)
    package static let dualStack = NetworkSchedule(.dualStack)

    package var isConstant: Bool { phases.count == 1 }
    package var first: Network? { phases[0].network }
    /// The first network of the schedule: the client is created on it.
    package var firstNetwork: Network { phases.lazy.compactMap(\.network).first ?? network }

    /// The schedule of the control run: dual-stack all the time, with the same gaps.
    package var control: NetworkSchedule {
        var phases: [Phase] = []
        for phase in self.phases {
            var phase = Phase(network: phase.network.map { _ in .dualStack }, duration: phase.duration)
            if let last = phases.last, last.network == phase.network {
                phases.removeLast()
                phase = last.prolonged(by: phase)
            }
            phases.append(phase)
        }
        return NetworkSchedule(phases, judgedBy: .dualStack)
    }
}

extension NetworkSchedule {
    package enum Mistake: Error, Hashable, Sendable {
        case unknownNetwork(String)
        /// A phase that is not a name and a time.
        case malformedPhase(String)
        case time(String)
        /// A phase without a time that is not the last.
        case missingTime(String)
        /// The last phase with a time.
        case needlessTime(String)
        /// The same network twice in a row.
        case repeatedNetwork(String)
        case noNetwork
        case tooMany(Int)
    }

    package static let limit = 100
    /// The range of a phase's time. The kernel takes some milliseconds for a change.
    package static let times = Duration.milliseconds(10)...Duration.seconds(3600)
    /// The name for having no network.
    package static let none = "none"
    /// The names that a phase can have.
    package static var names: [String] { Network.allCases.map(\.rawValue) + [none] }

    package init(_ text: String) throws(Mistake) {
        let written = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        guard written.count <= Self.limit else { throw .tooMany(written.count) }
        var phases: [Phase] = []
        for (index, words) in written.enumerated() {
            let phase = try Self.phase(words, isLast: index == written.count - 1)
            if let last = phases.last, last.network == phase.network { throw .repeatedNetwork(words[0]) }
            phases.append(phase)
        }
        let networks = phases.compactMap(\.network)
        guard let network = networks.last(where: { $0 != .dualStack }) ?? networks.last else { throw .noNetwork }
        self.init(phases, judgedBy: network)
    }

    private static func phase(_ words: [String], isLast: Bool) throws(Mistake) -> Phase {
        guard (1...2).contains(words.count) else { throw .malformedPhase(words.joined(separator: " ")) }
        let network = Network(rawValue: words[0])
        if network == nil && words[0] != none { throw .unknownNetwork(words[0]) }
        if isLast {
            if words.count == 2 { throw .needlessTime(words[0]) }
            return Phase(network: network, duration: nil)
        }
        guard words.count == 2 else { throw .missingTime(words[0]) }
        guard let duration = Duration(written: words[1], in: times) else { throw .time(words[1]) }
        // In whole milliseconds, the precision with which it is written again.
        return Phase(network: network, duration: .milliseconds(duration.wholeNanoseconds / 1_000_000))
    }
}

extension NetworkSchedule.Mistake: CustomStringConvertible {
    package var description: String {
        let example = "\"dual-stack 5s, none 1s, nat64\""
        switch self {
        case .unknownNetwork(let name):
            let names = Network.allCases.map(\.rawValue)
            let guess = nearestWord(to: name, among: names).map { " (did you mean \"\($0)\"?)" } ?? ""
            return
                "there is no network \"\(name)\"\(guess); there are \(names.joined(separator: ", ")), and none between two"
        case .malformedPhase(let text): return "\"\(text)\" is no network with a time; write \(example)"
        case .time(let text):
            return "a client cannot be on a network for \"\(text)\"; from 10ms to 1h, such as 500ms or 5s"
        case .missingTime(let name):
            return "how long is the client on \(name)? Only the last network has no time; write \(example)"
        case .needlessTime(let name):
            return "the last network lasts until the client ends; leave out the time after \(name)"
        case .repeatedNetwork(let name): return "\(name) follows \(name); write it once, with the sum of the times"
        case .noNetwork: return "there is no network in it; write \(example)"
        case .tooMany(let count): return "\(count) networks are too many; \(NetworkSchedule.limit) at most"
        }
    }
}

extension NetworkSchedule: CustomStringConvertible {
    package var description: String { written(before: " ", between: ", ") }

    /// The same for names of cases, which are also names of files: `dual-stack-5s,none-1s,nat64`.
    package var name: String { written(before: "-", between: ",") }

    private func written(before duration: String, between phases: String) -> String {
        self.phases.map { phase in
            (phase.network?.rawValue ?? Self.none) + (phase.duration.map { duration + Self.written($0) } ?? "")
        }.joined(separator: phases)
    }

    private static func written(_ duration: Duration) -> String {
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
