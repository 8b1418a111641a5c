// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text
import Wire

/// On which network a client is as time goes by, written `dual-stack 5s, none 1s, nat64`: the last stage lasts until its end.
///
/// Between two networks there may be none: no address, no route, and the link is down.
package struct NetworkSchedule: Codable, Hashable, Sendable {
    package struct Stage: Codable, Hashable, Sendable {
        /// `nil`: none.
        package let network: Network?
        /// `nil` of the last one.
        package let duration: Duration?

        fileprivate func prolonged(by next: Stage) -> Stage {
            guard let duration, let more = next.duration else { return next }
            return Stage(network: network, duration: duration + more)
        }
    }

    /// One at least, and one of them has a network.
    package let stages: [Stage]
    /// What a run is judged by: the network that the client comes to last and that is not the control run's. Where it is never on such a
    /// one, the control run's.
    package let network: Network

    /// What a client is on all the time.
    package init(_ network: Network) {
        stages = [Stage(network: network, duration: nil)]
        self.network = network
    }

    private init(_ stages: [Stage], judgedBy network: Network) {
        self.stages = stages
        self.network = network
    }

    package static let nat64 = NetworkSchedule(.nat64)
    package static let dualStack = NetworkSchedule(.dualStack)

    package var isConstant: Bool { stages.count == 1 }
    package var first: Network? { stages[0].network }
    /// The first network that there is: a client is made for it.
    package var firstNetwork: Network { stages.lazy.compactMap(\.network).first ?? network }

    /// The control run's: dual-stack all the time, with the same gaps.
    package var control: NetworkSchedule {
        var stages: [Stage] = []
        for stage in self.stages {
            var stage = Stage(network: stage.network.map { _ in .dualStack }, duration: stage.duration)
            if let last = stages.last, last.network == stage.network {
                stages.removeLast()
                stage = last.prolonged(by: stage)
            }
            stages.append(stage)
        }
        return NetworkSchedule(stages, judgedBy: .dualStack)
    }
}

extension NetworkSchedule {
    package enum Mistake: Error, Hashable, Sendable {
        case unknownNetwork(String)
        /// A stage that is not a name and a time.
        case malformedStage(String)
        case time(String)
        /// Of a stage that is not the last.
        case missingTime(String)
        /// Of the last stage.
        case needlessTime(String)
        /// The same twice in a row.
        case repeatedNetwork(String)
        case noNetwork
        case tooMany(Int)
    }

    package static let limit = 100
    /// What a stage may last. The kernel takes some milliseconds for a change.
    package static let times = Duration.milliseconds(10)...Duration.seconds(3600)
    /// What having no network is called.
    package static let none = "none"
    /// What a client can be on, by name.
    package static var names: [String] { Network.allCases.map(\.rawValue) + [none] }

    package init(_ text: String) throws(Mistake) {
        let written = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        guard written.count <= Self.limit else { throw .tooMany(written.count) }
        var stages: [Stage] = []
        for (index, words) in written.enumerated() {
            let stage = try Self.stage(words, isLast: index == written.count - 1)
            if let last = stages.last, last.network == stage.network { throw .repeatedNetwork(words[0]) }
            stages.append(stage)
        }
        let networks = stages.compactMap(\.network)
        guard let network = networks.last(where: { $0 != .dualStack }) ?? networks.last else { throw .noNetwork }
        self.init(stages, judgedBy: network)
    }

    private static func stage(_ words: [String], isLast: Bool) throws(Mistake) -> Stage {
        guard (1...2).contains(words.count) else { throw .malformedStage(words.joined(separator: " ")) }
        let network = Network(rawValue: words[0])
        if network == nil && words[0] != none { throw .unknownNetwork(words[0]) }
        if isLast {
            if words.count == 2 { throw .needlessTime(words[0]) }
            return Stage(network: network, duration: nil)
        }
        guard words.count == 2 else { throw .missingTime(words[0]) }
        guard let duration = Duration(written: words[1], in: times) else { throw .time(words[1]) }
        // As precise as it is written again.
        return Stage(network: network, duration: .milliseconds(duration.wholeNanoseconds / 1_000_000))
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
        case .malformedStage(let text): return "\"\(text)\" is no network with a time; write \(example)"
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

    /// The same for names of cases, of which files are named, too: `dual-stack-5s,none-1s,nat64`.
    package var name: String { written(before: "-", between: ",") }

    private func written(before duration: String, between stages: String) -> String {
        self.stages.map { stage in
            (stage.network?.rawValue ?? Self.none) + (stage.duration.map { duration + Self.written($0) } ?? "")
        }.joined(separator: stages)
    }

    private static func written(_ duration: Duration) -> String {
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
