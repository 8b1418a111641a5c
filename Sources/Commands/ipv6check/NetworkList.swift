// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology

/// The networks of a client's runs, each once: `all`, `nat64,ipv4-only`, or schedules of networks: `nat64; dual-stack 5s, none 1s, nat64`.
struct NetworkList {
    let networks: [NetworkSchedule]

    enum Mistake: Error {
        case schedule(NetworkSchedule.Mistake)
        case twice(NetworkSchedule)
    }

    init(_ text: String) throws(Mistake) {
        if text == "all" {
            networks = Network.allCases.map { NetworkSchedule($0) }
            return
        }
        // Only a schedule contains a duration, with a blank before it.
        let separator: Character = text.contains(where: { $0 == ";" || $0.isWhitespace }) ? ";" : ","
        var networks: [NetworkSchedule] = []
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            let network: NetworkSchedule
            do throws(NetworkSchedule.Mistake) { network = try NetworkSchedule(String(part)) } catch {
                throw .schedule(error)
            }
            if networks.contains(network) { throw .twice(network) }
            networks.append(network)
        }
        self.networks = networks
    }

    static var words: [String] { ["all"] + Network.allCases.map(\.rawValue) }
}

extension NetworkList.Mistake: CustomStringConvertible {
    var description: String {
        switch self {
        case .schedule(let mistake): "\(mistake)"
        case .twice(let network): "\(network) stands in the list twice; keep one"
        }
    }
}
