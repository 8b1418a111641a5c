import ArgumentParser
import Evidence

/// Networks of the catalogue, each once: `all`, or `nat64,ipv4-only`.
struct NetworkList: ExpressibleByArgument {
    let networks: [Network]

    init?(argument: String) {
        if argument == "all" {
            networks = Network.allCases
            return
        }
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        let networks = names.compactMap { Network(rawValue: String($0)) }
        guard networks.count == names.count, Set(networks).count == networks.count else { return nil }
        self.networks = networks
    }

    static var allValueStrings: [String] { ["all"] + Network.allCases.map(\.rawValue) }
}
